import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseJson, toRecord } from '@agent/text/json';

/** Line of the log of a rehearsed process, as pino writes it. */
export interface LogLine {
  /** 30: information, 40: warning, 50: error. */
  readonly level: number;
  readonly message: string;
  /** Message of its error; null for none. */
  readonly error: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Number of the process that wrote it: 1 for the first. */
  readonly life: number;
}

/** Command that starts a process. */
export interface ProcessCommand {
  readonly program: string;
  /** Arguments of the program, from those of Node to `run` and its options. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Arguments of Node with which a process ends when the process that started it was killed. */
export function endWithParentArguments(): readonly string[] {
  const name = import.meta.url.endsWith('.ts') ? './end-with-parent.ts' : './end-with-parent.js';
  return ['--import', new URL(name, import.meta.url).href];
}

/** Newest lines that are stored. */
const maxLines = 20_000;
const warning = 40;

/** A daemon or a bot in a process of its own, which can be killed and started again. */
export class RehearsedProcess {
  readonly #command: ProcessCommand;
  readonly #lines: LogLine[] = [];
  readonly #noise: string[] = [];
  #life = 0;
  #child: ChildProcess | null = null;
  #exited: Promise<number | null> = Promise.resolve(null);
  #isWanted = false;

  constructor(command: ProcessCommand) {
    this.#command = command;
  }

  /** Lines so far, oldest first. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Number of the running process, or of the last one. */
  get life(): number {
    return this.#life;
  }

  start(): void {
    const { program, args, environment } = this.#command;
    const child = spawn(program, [...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#life += 1;
    this.#child = child;
    this.#isWanted = true;
    for (const stream of [child.stdout, child.stderr]) this.#read(stream, this.#life);
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#noise.push(error.message);
        resolve(null);
      });
      child.once('close', (code) => resolve(code));
    });
    void this.#exited.then(() => {
      if (this.#child === child) this.#child = null;
    });
  }

  /** Kills the process without a chance to save anything, as a power failure does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', null);
  }

  /** Kills the process without waiting for its end. */
  killNow(): void {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
  }

  /** Asks the process to exit, and kills it after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    await this.#end('SIGTERM', patienceMs);
  }

  /** Why it exited although nothing ended it; null while it runs. */
  get problem(): string | null {
    if (!this.#isWanted || this.#child !== null) return null;
    return [...this.listWarnings(2), ...this.#noise.slice(-2)].join(' · ') || 'no message';
  }

  /** The newest different warnings and errors, in one line each. */
  listWarnings(count: number): readonly string[] {
    const found = this.#lines.filter(({ level }) => level >= warning);
    const texts = found.map(({ message, error }) => (error === null ? message : `${message}: ${error}`));
    return [...new Set(texts)].slice(-count);
  }

  async #end(signal: NodeJS.Signals, patienceMs: number | null): Promise<void> {
    const child = this.#child;
    this.#isWanted = false;
    if (child === null) return;
    child.kill(signal);
    const timer = patienceMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await this.#exited;
    clearTimeout(timer);
  }

  #read(stream: Readable | null, life: number): void {
    if (stream === null) return;
    createInterface({ input: stream }).on('line', (text) => {
      const line = parseLine(text, life);
      if (line === null) this.#noise.push(text);
      else this.#lines.push(line);
      if (this.#lines.length > maxLines) this.#lines.splice(0, 1_000);
      if (this.#noise.length > 50) this.#noise.shift();
    });
  }
}

function parseLine(text: string, life: number): LogLine | null {
  const fields = text.startsWith('{') ? toRecord(parseJson(text)) : null;
  if (fields === null || typeof fields.msg !== 'string') return null;
  const error = toRecord(fields.err)?.message;
  return {
    level: typeof fields.level === 'number' ? fields.level : 30,
    message: fields.msg,
    error: typeof error === 'string' ? (error.split('\n')[0] ?? '') : null,
    ...{ fields, life },
  };
}
