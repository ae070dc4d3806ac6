// How long tests wait for what must come. A test that passes has it sooner, so a slow machine costs no assertion.

export const PATIENCE_MS = 120_000;
