#!/usr/bin/env node
import { once } from 'node:events';
import { runCli } from './run-cli.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

process.exitCode = await runCli({
  args: process.argv.slice(2),
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  ended: hearSignal(),
});

/** Resolves with the first signal, or when nobody reads what is printed; a second signal ends the process at once. */
async function hearSignal(): Promise<void> {
  const heard = new AbortController();
  const unread = new Promise((resolve) => process.stdout.on('error', resolve));
  await Promise.race([unread, ...signals.map((signal) => once(process, signal, { signal: heard.signal }))]);
  heard.abort();
}
