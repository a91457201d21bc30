// Opens traces of `synclint run --trace` in speedscope itself, and says what its importer says about them.
//
//     npm pack speedscope && tar xzf speedscope-*.tgz
//     npm install puppeteer-core @sparticuz/chromium
//     node viewers.mjs package/dist/release/index.html TRACE.json TRACE.speedscope.json
//
// A profile that is read has a line `import: … ms` and its name; whatever else is printed is a complaint.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const [viewer, ...traces] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "viewers-"));
const args = [...chromium.args, "--allow-file-access-from-files", "--enable-unsafe-swiftshader"];
const browser = await puppeteer.launch({ args, executablePath: await chromium.executablePath(), headless: "shell" });
for (const [at, trace] of traces.entries()) {
  const script = join(folder, `${at}.js`);
  const words = [basename(trace), readFileSync(trace).toString("base64")].map((word) => JSON.stringify(word));
  writeFileSync(script, `speedscope.loadFileFromBase64(${words})`);
  const page = await browser.newPage();
  page.on("console", (message) => console.log(`  ${message.text()}`));
  page.on("pageerror", (error) => console.log(`  error: ${error.message}`));
  page.on("dialog", (dialog) => (console.log(`  refused: ${dialog.message()}`), dialog.accept()));
  console.log(trace);
  await page.goto(`file://${resolve(viewer)}#localProfilePath=${script}`);
  await page.waitForFunction(() => document.title !== "speedscope", { timeout: 10_000 }).catch(() => {});
  console.log(`  shows: ${await page.title()}`);
  await page.close();
}
await browser.close();
