#!/usr/bin/env -S node --max-semi-space-size=2 --heap-growing-percent=25
// The namespace: a named import that an older Node lacks would fail before the sentence below can be said.
import * as module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`agent-daemon needs Node 22.18 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  const { runCommandLine } = await import('./cli/program.ts');
  await runCommandLine(process.argv);
}
