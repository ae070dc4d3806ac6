"""The tests of the package: `npm run test:python`, or `python3 -m unittest` in clients/python/ with src on the path."""
