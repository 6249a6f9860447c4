import { followSteps } from '@agent/simulators/model';
import { doctorCommand } from '../../src/cli/commands/doctor.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { type CommandResult, runCommand } from './command.ts';
import { startWorld, token, type World, type WorldOptions } from './world.ts';

const readyScript = followSteps([{ toolCalls: [{ name: 'report_ready', input: {} }] }]);

/** Starts a world in which everything is well, but for what the options change. */
export function startHealthyWorld(options: Partial<WorldOptions> = {}): Promise<World> {
  return startWorld({ script: readyScript, ...options });
}

export interface ExaminationFlags {
  readonly json?: boolean;
  readonly model?: boolean;
}

/** Runs `doctor` in a world. */
export function runDoctor(
  at: World,
  environment: Readonly<Record<string, string>> = {},
  { json = false, model = true }: ExaminationFlags = {},
): Promise<CommandResult> {
  return runCommand((io) => doctorCommand({ config: at.configFile, json, model }, io), {
    environment: { GITHUB_TOKEN: token, ...environment },
  });
}

export interface Examination {
  readonly code: number;
  readonly output: string;
  readonly findings: readonly Finding[];
  readonly failed: readonly Finding[];
}

/** Runs `doctor --json` and reads what it found. */
export async function examine(
  at: World,
  environment: Readonly<Record<string, string>> = {},
): Promise<Examination> {
  const { code, output } = await runDoctor(at, environment, { json: true });
  const { findings } = JSON.parse(output) as { findings: readonly Finding[] };
  return { code, output, findings, failed: findings.filter(({ status }) => status === 'failed') };
}
