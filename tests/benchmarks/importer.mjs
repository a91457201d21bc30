// Imports traces of `synclint run` with Chrome's own trace viewer, that of chrome://tracing, and says what it says.
//
//     npm install puppeteer-core @sparticuz/chromium webcomponents.js@0.7.24
//     node importer.mjs trace_viewer_full.html TRACE.json…
//
// The page is the viewer as catapult builds it; torch_tb_profiler has it among its static files. It was written for
// custom elements as they were before 2018, which `webcomponents.js` brings back.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const [viewer, ...traces] = process.argv.slice(2);
const elements = readFileSync(createRequire(import.meta.url).resolve("webcomponents.js/webcomponents.min.js"), "utf8");
const path = join(mkdtempSync(join(tmpdir(), "importer-")), "viewer.html");
writeFileSync(path, readFileSync(viewer, "utf8").replace(/<head[^>]*>/, (head) => `${head}<script>${elements}</script>`));
const browser = await puppeteer.launch({
  args: chromium.args,
  executablePath: await chromium.executablePath(),
  headless: "shell",
});
for (const trace of traces) {
  const page = await browser.newPage();
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => typeof tr !== "undefined" && tr.importer?.Import);
  const told = await page.evaluate((text) => {
    const model = new tr.Model();
    new tr.importer.Import(model, new tr.importer.ImportOptions()).importTraces([text]);
    const threads = model.getAllThreads().map(({ tid, sliceGroup: { slices } }) => ({
      tid,
      slices: slices.length,
      unfinished: slices.filter((each) => each.didNotFinish).length,
    }));
    return { warnings: model.importWarnings.map((each) => each.message), threads };
  }, readFileSync(trace, "utf8"));
  console.log(trace, JSON.stringify(told));
  await page.close();
}
await browser.close();
