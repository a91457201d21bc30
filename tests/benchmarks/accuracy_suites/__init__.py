"""The packages' own test suites as programs: which package, how its tests are run, and what each line did."""
