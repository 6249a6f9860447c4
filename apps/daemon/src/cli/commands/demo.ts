import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processLocale } from '@agent/text/locale';
import { CommandError, type CommandIo } from '../command-io.ts';
import { demoTexts } from '../demo-texts.ts';

/** Options of `agent-daemon demo`. */
interface DemoFlags {
  readonly verbose?: boolean | undefined;
}

/** The part that is used of `@agent/simulators/demo`, an optional package. */
interface DemoModule {
  readonly playDemonstration: (options: {
    readonly command: readonly [program: string, ...args: string[]];
    readonly environment: CommandIo['environment'];
    readonly print: (line: string) => void;
    readonly verbose: boolean;
  }) => Promise<{ readonly isFinished: boolean; readonly exitCode: number }>;
}

/**
 * `agent-daemon demo`: finishes an issue of a simulated GitHub on loopback. A script plays the model.
 *
 * @returns 1 if the issue was not finished, 128 + n if signal n ended it
 */
export async function demoCommand({ verbose = false }: DemoFlags, io: CommandIo): Promise<number> {
  const texts = demoTexts[processLocale(io.environment)];
  const { playDemonstration } = (await import(findModule(texts.missing))) as DemoModule;
  const start = io.now();
  io.print(texts.begins);
  const flags = ['run', '--once', '--no-live', '--log-format', 'pretty'];
  const { isFinished, exitCode } = await playDemonstration({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...flags],
    environment: io.environment,
    print: io.print,
    verbose,
  });
  if (isFinished) {
    const seconds = ((io.now() - start) / 1000).toFixed(1);
    io.print(texts.finished(seconds));
    return 0;
  }
  const isInterrupted = exitCode > 128;
  io.print(isInterrupted ? texts.interrupted : texts.failed);
  return isInterrupted ? exitCode : 1;
}

/** Looks beside this program, and in the working directory. */
function findModule(missing: string): string {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return pathToFileURL(createRequire(place).resolve('@agent/simulators/demo')).href;
    } catch {}
  }
  throw new CommandError(missing);
}
