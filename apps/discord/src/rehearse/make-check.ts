import {
  CheckFailure,
  type CheckResults,
  type RehearsalClock,
  type ServerCheck,
  type Verdict,
} from '@agent/rehearsal';
import type { RehearsalTexts } from './texts.en.ts';

/** Parts that each check uses. */
export interface CheckParts {
  readonly results: CheckResults<ServerCheck>;
  readonly texts: RehearsalTexts;
  readonly clock: RehearsalClock;
  /** Interrupts the checks; the clean-up follows. */
  readonly signal: AbortSignal;
}

/** Ends a rehearsal early. The result that explains it was added before. */
export class RehearsalEnd extends Error {
  override readonly name = 'RehearsalEnd';
}

/** Makes a check. What it throws is a failure, unless the rehearsal ends. @returns true if it passed */
export async function makeCheck(
  { results, clock, signal, texts }: CheckParts,
  name: ServerCheck,
  make: () => Promise<Verdict>,
): Promise<boolean> {
  const beginAt = clock.now();
  let verdict: Verdict;
  try {
    verdict = await make();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RehearsalEnd) throw error;
    const known = error instanceof CheckFailure ? { fix: error.fix, url: null } : {};
    verdict = { status: 'failed', text: (error as Error).message, ...known };
  }
  results.add(name, advise(name, verdict, texts), clock.now() - beginAt);
  return verdict.status === 'passed';
}

/** Adds the usual instruction and page to a verdict that has none. */
export function advise(name: ServerCheck, verdict: Verdict, texts: RehearsalTexts): Verdict {
  if (verdict.status === 'passed') return verdict;
  const usual = verdict.status === 'failed' ? texts.fixes[name] : texts.fixesNotSupported[name];
  const { fix = usual ?? null, url = pages[name] ?? null } = verdict;
  return { ...verdict, fix, url };
}

const docs = 'https://docs.discord.com/developers';
const applications = 'https://discord.com/developers/applications';

/** Pages of the documentation, or where the setting is. */
const pages: Partial<Record<ServerCheck, string>> = {
  token: applications,
  intents: applications,
  gateway: `${docs}/events/gateway`,
  channel: `${docs}/topics/permissions`,
  permissions: `${docs}/topics/permissions`,
  'model-name': 'https://lmstudio.ai/docs/developer/rest/endpoints',
  model: 'https://lmstudio.ai/docs/developer/openai-compat/responses',
  mention: `${docs}/events/gateway-events#message-create`,
  'fresh-list': `${docs}/resources/message#get-channel-messages`,
  reaction: `${docs}/resources/message#create-reaction`,
  thread: `${docs}/resources/channel#start-thread-from-message`,
  conversation: `${docs}/resources/message#get-channel-messages`,
  edit: `${docs}/events/gateway-events#message-update`,
  deletion: `${docs}/events/gateway-events#message-delete`,
  crash: `${docs}/resources/message#get-channel-messages`,
  'long-answer': `${docs}/resources/message#create-message`,
  'rate-limit': `${docs}/topics/rate-limits`,
  'clean-up': `${docs}/resources/channel#deleteclose-channel`,
};
