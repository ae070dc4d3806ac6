// A line for whoever runs the tests. Vitest shows what a test writes to the console only if the test fails, where nobody
// watches; this is shown always.
export const notice = (line: string): boolean => process.stderr.write(`${line}\n`);
