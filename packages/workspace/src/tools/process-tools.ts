import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ToolError } from '../workspace-error.ts';
import { type CappedOutput, createCappedOutput } from './capped-output.ts';
import type { CommandPlace } from './command-place.ts';
import { type CommandResult, formatResult } from './command-process.ts';
import { defineTool, type RunTools } from './define-tool.ts';
import { type CommandRules, findCommand } from './run-command-tool.ts';

export interface ProcessToolsOptions {
  readonly rules: CommandRules;
  /** Waits for output. Default real time. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

/** Tools for processes that go on beside other commands. */
export interface ProcessTools {
  readonly tools: RunTools;
  /** Ends all of them. Call it when the run has ended, before the place is closed. */
  readonly close: () => Promise<void>;
}

interface Running {
  /** Output since it was last shown. */
  output: CappedOutput;
  /** Null while it runs. */
  end: CommandResult | { readonly error: string } | null;
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Most processes of a run at a time. */
const maxRunning = 5;

/** Longest time that one of them runs, in milliseconds. */
const maxTimeMs = 86_400_000;

const waitSeconds = z.number().min(0).max(60).default(2).describe('Seconds to wait for output');

/**
 * Creates tools that begin a process in the background, show what it writes and end it. It runs in the place of all commands, under
 * the same rules and limits, and never longer than its run. Ports that it names are open to commands that begin later.
 */
export function createProcessTools(
  place: CommandPlace,
  { rules, wait = waitRealTime }: ProcessToolsOptions,
): ProcessTools {
  const { maxOutputBytes = 32 * 1024 } = rules;
  const processes = new Map<string, Running>();
  let count = 0;

  const start = (call: Parameters<CommandPlace['run']>[0]): string => {
    const id = `process-${++count}`;
    const stopping = new AbortController();
    const output = createCappedOutput({ maxBytes: maxOutputBytes, hideSecrets: place.hideSecrets });
    const onOutput = (chunk: Buffer) => running.output.add(chunk);
    const toEnd = (error: unknown) => ({ error: toReason(error, stopping.signal) });
    const ending = place.run({ ...call, signal: stopping.signal, onOutput }).catch(toEnd);
    const ended = ending.then((end) => {
      running.end = end;
    });
    const running: Running = { output, end: null, ended, stop: () => stopping.abort(new Error('stopped')) };
    processes.set(id, running);
    return id;
  };

  const show = async (
    id: string,
    options: { readonly seconds: number; readonly signal: AbortSignal | undefined },
  ) => {
    const running = find(id);
    await Promise.race([running.ended, wait(options.seconds * 1_000, options.signal)]);
    const written = running.output.text();
    running.output = createCappedOutput({ maxBytes: maxOutputBytes, hideSecrets: place.hideSecrets });
    return `${id} ${describeEnd(running.end)}\n${written === '' ? '(no new output)' : written}`;
  };

  const describeEnd = (end: Running['end']): string => {
    if (end === null) return 'is running.';
    if ('error' in end) return `has ended: ${end.error}.`;
    const [line = ''] = formatResult(end, { timeoutMs: maxTimeMs, limits: place.limits }).split('\n');
    return `has ended. ${line}`;
  };

  const find = (id: string): Running => {
    const running = processes.get(id);
    if (running !== undefined) return running;
    throw new ToolError(
      `There is no process "${id}". The processes are: ${[...processes.keys()].join(', ') || 'none'}.`,
    );
  };

  const startProcess = defineTool({
    description: `Starts one program that keeps running while you do other things, such as a server that tests need. It ends with the run, if not before. The same rules as for run_command apply. Name the ports that it listens on: later commands reach them at 127.0.0.1. At most ${maxRunning} run at a time.`,
    input: startInput,
    readOnly: false,
    run: async (input, { signal }) => {
      const alive = [...processes.values()].filter(({ end }) => end === null);
      if (alive.length >= maxRunning)
        throw new ToolError(`${maxRunning} processes are already running: stop one first.`);
      const id = start({
        command: await findCommand(place, { input, rules }),
        workingDirectory: input.working_directory,
        opensPorts: input.ports,
        ...{ timeoutMs: maxTimeMs, maxOutputBytes: 1_024 },
      });
      return show(id, { seconds: input.wait_seconds, signal });
    },
  });
  const readProcess = defineTool({
    description: 'Shows what a process has written since it was last shown, and if it still runs.',
    input: z.object({ id: z.string(), wait_seconds: waitSeconds }),
    readOnly: true,
    run: ({ id, wait_seconds: seconds }, { signal }) => show(id, { seconds, signal }),
  });
  const stopProcess = defineTool({
    description: 'Ends a process with all that it started, and shows what it wrote last.',
    input: z.object({ id: z.string() }),
    readOnly: false,
    run: async ({ id }, { signal }) => {
      const running = find(id);
      running.stop();
      await running.ended;
      return show(id, { seconds: 0, signal });
    },
  });
  return {
    tools: { start_process: startProcess, read_process: readProcess, stop_process: stopProcess },
    close: async () => {
      for (const { stop } of processes.values()) stop();
      await Promise.all([...processes.values()].map(({ ended }) => ended));
    },
  };
}

const startInput = z.object({
  command: z.string().min(1).max(200).describe('Name of the program, e.g. npm'),
  args: z.array(z.string().max(100_000)).max(1000).default([]).describe('Its arguments, each by itself'),
  working_directory: z.string().max(4096).default('.').describe("Relative to the repository's root"),
  ports: z.array(z.int().min(1_024).max(47_099)).max(10).default([]).describe('Ports that it listens on'),
  wait_seconds: waitSeconds,
});

function toReason(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return 'it was stopped';
  return error instanceof Error ? error.message : String(error);
}

async function waitRealTime(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(milliseconds, undefined, { ...(signal === undefined ? {} : { signal }), ref: false });
}
