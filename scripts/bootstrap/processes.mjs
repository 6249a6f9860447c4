// Starts children and passes signals on to those of them that are running.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** A failure that is told in one sentence, without a stack, and that ends the command with its exit code. */
export class SetUpError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const running = new Set();
let interruption = null;

/** From here on, signals end the running children first; this process follows by their exit. */
export function forwardSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interruption = signal;
      // A terminal sends Ctrl-C to the child as well; passing it on would make one Ctrl-C look like two.
      if (signal === 'SIGINT' && terminalReachesChild()) return;
      for (const child of running) child.kill(signal);
    });
  }
}

/** The exit code that a signal has asked for, or null. */
export function interruptionExitCode() {
  return interruption === null ? null : 128 + constants.signals[interruption];
}

/** Throws when a signal has asked this process to end. */
export function throwIfInterrupted() {
  const exitCode = interruptionExitCode();
  if (exitCode !== null) throw new SetUpError(`interrupted by ${interruption}`, exitCode);
}

/**
 * Resolves with the exit code; 128 + n for signal n, as a shell says it. `onText` receives the output of piped streams.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { readonly onText?: (text: string) => void }} options
 * @returns {Promise<number>}
 */
export function run(command, args, { onText, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { shell: process.platform === 'win32', ...options });
    running.add(child);
    if (onText !== undefined)
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onText);
    child.on('error', (error) => {
      running.delete(child);
      reject(new SetUpError(startFailure(command, error), 127));
    });
    // Output may arrive after the exit.
    child.on(onText === undefined ? 'exit' : 'close', (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

function startFailure(command, error) {
  if (command !== 'npm' || error.code !== 'ENOENT') return `cannot start ${command}: ${error.message}`;
  return 'there is no npm on the PATH. It comes with Node (https://nodejs.org); on Debian it is a package of its own.';
}

/** Whether Ctrl-C goes to our process group, and so to the child too. */
function terminalReachesChild() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal !== '0' && group === foreground;
  } catch {
    return process.stdin.isTTY === true;
  }
}
