// Some systems, such as containers, give browsers a language that is none, on which the library of charts would end.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
