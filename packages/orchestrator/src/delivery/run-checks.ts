import { commandFailure } from '@agent/workspace';
import type { RunCommands } from '../environment/open-commands.ts';
import type { Run } from '../run/run.ts';
import type { RunChecks } from './hold-changes.ts';

/** Output of a check that is read, in bytes. */
const maxOutputBytes = 65_536;

/** Creates what runs the checks that the environment of the repository names, in their order, until one fails. */
export function createRunChecks(
  { logger }: Pick<Run, 'logger'>,
  commands: Pick<RunCommands, 'environment' | 'place'> | null,
  now: () => number = () => performance.now(),
): RunChecks {
  return async () => {
    const checks = commands?.environment.checks ?? null;
    if (commands === null || checks === null) return null;
    let leftMs = checks.timeoutMs;
    for (const command of checks.commands) {
      const begunAt = now();
      const result = await commands.place.run({
        command: ['/bin/sh', '-ec', command],
        timeoutMs: Math.max(1, leftMs),
        maxOutputBytes,
      });
      leftMs -= now() - begunAt;
      const failure = commandFailure(result);
      logger.info({ command, failure }, 'ran check without held files');
      if (failure !== null) return { passed: false };
    }
    return { passed: true };
  };
}
