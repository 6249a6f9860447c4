import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let terminal: DaemonProcess | null = null;
afterEach(async () => {
  terminal?.child.kill('SIGKILL');
  await terminal?.exited;
  await world?.close();
  [world, terminal] = [null, null];
});

/** Tells whether `script` of util-linux is there, which opens a terminal for a command. */
function hasTerminals(): boolean {
  return spawnSync('script', ['-qec', 'test -t 0', '/dev/null'], { stdio: 'ignore' }).status === 0;
}

/**
 * Runs a daemon in a terminal of its own. The shell in it stays when that hangs up, and writes down how the daemon ended; the program
 * that is started here is the terminal, and to kill it is to close its window.
 */
function inTerminal(codeFile: string): readonly string[] {
  const inside = 'trap "" HUP; "$@"; echo $? > "$CODE_FILE"';
  const quoted = `sh -c '${inside}' sh`;
  return [
    'env',
    `CODE_FILE=${codeFile}`,
    'sh',
    '-c',
    `exec script -qec "${quoteForShell(quoted)} $*" /dev/null`,
    'sh',
  ];
}

const quoteForShell = (text: string) => text.replaceAll(/["$\\]/g, '\\$&');

const title = 'a daemon ends in order when the terminal that it runs in is closed [NX-353]';
const isShown = hasTerminals();

it(isShown ? title : `NOT SHOWN HERE, no script of util-linux: ${title}`, async () => {
  if (!isShown) return;
  const at = await startWorld({ script: answerScript, config: { poll_interval_seconds: 0.2 } });
  world = at;
  const codeFile = join(at.directory, 'exit-code');
  terminal = startDaemonProcess(at.configFile, {
    flags: ['--log-format', 'json'],
    alone: true,
    launcher: inTerminal(codeFile),
  });
  await terminal.printed(/"msg":"ready"/);
  await until('it polls', () => at.forge.pollCount() > 1);
  terminal.child.kill('SIGKILL');
  const readCode = () => readFile(codeFile, 'utf8').catch(() => '');
  await until('the daemon ended', async () => (await readCode()) !== '');
  expect(await readCode()).toBe('129\n');
});
