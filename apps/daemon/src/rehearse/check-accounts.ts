import type { ConnectedPlatform, NamedPlatform } from '@agent/orchestrator/platforms';
import { listNamedPlatforms, toConnectOptions } from '@agent/orchestrator/platforms';
import type { Verdict } from '@agent/rehearsal';
import type { RunStorage } from '@agent/run-store';
import { pino } from 'pino';
import type { LoadedConfig } from '../config/load-config.ts';
import { toPlatformSettings } from '../config/settings.ts';
import { checkModel } from '../doctor/check-model.ts';
import { checkPlatforms } from '../doctor/check-platforms.ts';
import type { DoctorTools, Finding } from '../doctor/finding.ts';
import type { DoctorTexts } from '../doctor/texts.en.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Parts of the checks before the run. */
export interface AccountChecks {
  readonly loaded: LoadedConfig;
  readonly storage: RunStorage;
  readonly processEnvironment: DoctorTools['processEnvironment'];
  readonly texts: RehearsalTexts;
  readonly doctorTexts: DoctorTexts;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The agent's account on its platform. */
export interface AgentAccount {
  readonly named: NamedPlatform;
  readonly connected: ConnectedPlatform;
  readonly login: string;
  readonly token: () => Promise<string>;
}

/** Connects as the agent. @throws ConfigError, PlatformError if the credential is missing or refused */
export async function openAgentAccount({ loaded, storage, signal }: AccountChecks): Promise<AgentAccount> {
  const [named] = listNamedPlatforms(loaded.config.platforms);
  if (named === undefined) throw new Error('The configuration of a rehearsal has one platform.');
  const { section, entry } = named;
  const logger = pino({ level: 'silent' });
  const options = toConnectOptions(toPlatformSettings(loaded, storage), {
    logger,
    signal,
    observe: () => {},
  });
  const connected = await entry.connect(section, options);
  const { login } = await connected.platform.identity.whoAmI({ signal });
  const { credential } = await entry.openCredential(section, options);
  return {
    named,
    connected,
    login, // Without the signal: the clean-up follows an interruption.
    token: async () => (await credential.token()).value,
  };
}

/** Checks the rights of the agent as `doctor` does. `not-supported`: the server lacks something without which no task can start. */
export async function checkAccess(checks: AccountChecks, login: string): Promise<Verdict> {
  const { loaded, storage, texts, doctorTexts } = checks;
  const findings = await collect(checks, (tools) =>
    checkPlatforms(tools, {
      ...toPlatformSettings(loaded, storage),
      branchPrefix: loaded.config.branch_prefix,
    }),
  );
  const verdict = toVerdict(findings, texts.accessPassed(login));
  return verdict.fix === doctorTexts.fixGraphql ? { ...verdict, status: 'not-supported' } : verdict;
}

/** Checks that the model answers and calls tools, as `doctor` does. */
export async function checkRehearsedModel(checks: AccountChecks): Promise<Verdict> {
  const { loaded, texts, doctorTexts } = checks;
  const { config, environment, directory } = loaded;
  if (config.executor !== null) return { status: 'not-supported', text: texts.modelNotChecked };
  const findings = await collect(checks, (tools) =>
    checkModel(tools, {
      ...{ llm: config.llm, limits: config.limits.max_cost, environment, directory },
      ...{ callModel: true, showPicture: false },
    }),
  );
  // A warning of the doctor; a rehearsal cannot begin without tools.
  const strict = findings.map((finding) =>
    finding.fix === doctorTexts.fixTools ? { ...finding, status: 'failed' as const } : finding,
  );
  return toVerdict(strict, texts.modelPassed);
}

async function collect(
  { loaded, processEnvironment, doctorTexts, now, signal }: AccountChecks,
  check: (tools: DoctorTools) => Promise<void>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await check({
    ...{ texts: doctorTexts, environment: loaded.environment, processEnvironment, now, signal },
    report: (finding) => findings.push(finding),
    logger: pino({ level: 'silent' }),
    fetch: globalThis.fetch,
  });
  return findings;
}

/** The first failure decides about instruction and page; all are named. */
function toVerdict(findings: readonly Finding[], passed: string): Verdict {
  const failed = findings.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (first === undefined) return { status: 'passed', text: passed };
  const { fix, url } = first;
  const text = failed.map((finding) => finding.text.split('\n')[0]).join(' · ');
  return { status: 'failed', text, ...(fix === null ? {} : { fix }), ...(url === null ? {} : { url }) };
}
