import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processLocale } from '@agent/text/locale';
import { CommandError, type CommandIo } from '../command-io.ts';
import { demoTexts } from '../demo-texts.ts';

/** The part that is used of `@agent/simulators/demo`, which is installed by who wants to see it. */
interface DemoModule {
  readonly playDemonstration: (options: {
    readonly command: readonly [program: string, ...args: string[]];
    readonly environment: CommandIo['environment'];
    readonly print: (line: string) => void;
  }) => Promise<{ readonly isFinished: boolean; readonly exitCode: number }>;
}

/** `agent-daemon demo`: finishes an issue of a simulated forge, with a script for a model, on loopback. 1 where it did not, 128 + n where signal n ended it. */
export async function demoCommand(io: CommandIo): Promise<number> {
  const texts = demoTexts[processLocale(io.environment)];
  const { playDemonstration } = (await import(findModule(texts.missing))) as DemoModule;
  const begun = io.now();
  io.print(texts.begins);
  const flags = ['run', '--once', '--no-live', '--log-format', 'pretty'];
  const { isFinished, exitCode } = await playDemonstration({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...flags],
    environment: io.environment,
    print: io.print,
  });
  if (isFinished) {
    io.print(texts.finished(((io.now() - begun) / 1000).toFixed(1)));
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
