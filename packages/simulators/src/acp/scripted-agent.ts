import { writeSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { type AgentScriptInput, agentScriptSchema } from './agent-script.ts';
import { openRawOutput } from './misbehavior.ts';
import { playAgent } from './play-agent.ts';

/** Scripted agent to start as a process. */
export interface ScriptedAgentOptions {
  /** Directory in which it keeps its sessions. */
  readonly directory: string;
  readonly script?: AgentScriptInput | undefined;
}

/** Gives the program and the arguments that play an agent over standard input and output. */
export function scriptedAgentCommand({ directory, script = {} }: ScriptedAgentOptions): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const main = new URL(`../acp/main.${import.meta.url.split('.').at(-1)}`, import.meta.url);
  return { command: process.execPath, args: [fileURLToPath(main), directory, JSON.stringify(script)] };
}

/** Last words of an agent that dies as its script says, by which that is told from any other end. */
export const scriptedDeath = 'I exit here, as my script says';

/** An agent in this process, whose ends have the shape of a process's. */
export interface AgentInProcess {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  readonly ended: Promise<string>;
  readonly end: () => Promise<void>;
}

/** Plays an agent in this process: for hundreds of deaths, as that of a process takes a start each. */
export function startAgentInProcess({ directory, script = {} }: ScriptedAgentOptions): AgentInProcess {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const fromAgent = new TransformStream<Uint8Array, Uint8Array>();
  const ended = Promise.withResolvers<string>();
  const over = new AbortController();
  const die = () => {
    over.abort();
    ended.resolve(`it was ended by SIGKILL and said: ${scriptedDeath}`);
  };
  const end = async () => {
    over.abort();
    ended.resolve('it ended');
  };
  const raw = openRawOutput(fromAgent.writable);
  const stream = ndJsonStream(raw.stream, toAgent.readable);
  const write = async (text: string, to: 'stdout' | 'stderr') =>
    to === 'stdout' ? raw.write(text) : undefined;
  const played = agentScriptSchema.parse(script);
  if (!played.isDeaf) playAgent({ stream, script: played, directory, write, die, signal: over.signal });
  return {
    input: toAgent.writable,
    output: fromAgent.readable,
    ended: ended.promise,
    end,
  };
}

/** Plays an agent over the standard input and output of this process until its input ends. */
export function playOverStdio([directory = '', script = '{}']: readonly string[]): void {
  const played = agentScriptSchema.parse(JSON.parse(script));
  const raw = openRawOutput(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>);
  if (played.isDeaf) return void setInterval(() => undefined, 60_000);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  process.stdin.once('end', () => process.exit(0));
  playAgent({
    stream: ndJsonStream(raw.stream, input),
    script: played,
    directory,
    write: (text, to) => (to === 'stdout' ? raw.write(text) : writeErrors(text)),
    die: () => {
      writeSync(process.stderr.fd, scriptedDeath);
      process.kill(process.pid, 'SIGKILL');
    },
  });
}

/** Writes to standard error, as fast as it is read. */
function writeErrors(text: string): Promise<void> {
  return new Promise((resolve) => process.stderr.write(text, () => resolve()));
}
