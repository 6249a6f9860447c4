import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { DaemonProcess } from './daemon-process.ts';

/** Replaces the value at a path such as `platforms.github.repositories` of a configuration file. */
export async function editConfig(file: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const config = parse(await readFile(file, 'utf8'));
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let at = config;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key];
    }
    at[last] = value;
  }
  await writeFile(file, stringify(config));
}

/** Has a daemon read its configuration again, and waits until it says what came of it. */
export async function hangUp({ child, output, printed }: DaemonProcess): Promise<string> {
  const before = output();
  child.kill('SIGHUP');
  const said = /(?:reloaded|failed to reload) configuration/g;
  const times = before.match(said)?.length ?? 0;
  await printed(new RegExp(`(?:${said.source}[^]*?){${times + 1}}`));
  return output().slice(before.length);
}
