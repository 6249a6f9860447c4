import type { Logger } from '@agent/text';
import {
  checkOptions,
  type Expectation,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectPort,
} from '@agent/text/options';
import { type Places, readingPlaces } from '../listings/task-finder.ts';
import { isPlacePattern, parsePlacePattern } from '../place-pattern.ts';
import type { Doorbell } from '../sources/doorbell.ts';
import {
  type Happening,
  parsePayload,
  type ReadHeader,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookOrigin,
} from './webhook-origin.ts';

/** Answer to the platform, which its log shows. */
export interface WebhookAnswer {
  readonly status: 200 | 202 | 401;
  readonly text: string;
}

/** Takes the deliveries of one platform. */
export interface WebhookReceiver extends Pick<WebhookOrigin, 'name' | 'maxBodyBytes'> {
  /** The answer where the headers alone are reason to refuse; null: the body may be read. */
  readonly refuse: (header: ReadHeader) => WebhookAnswer | null;
  /** Rings for what it says. Nothing is looked at before the answer. */
  readonly receive: (delivery: WebhookDelivery) => Promise<WebhookAnswer>;
}

/** Sign that gives a thread to the agent: a label (case does not matter), its assignment, or its mention in a text. */
export type TaskSign =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'assignment' }
  | { readonly kind: 'mention' };

/** Rings and calls that the deliveries of one platform lead to. */
export interface WebhookReceiverOptions {
  readonly origin: WebhookOrigin;
  /** Repositories whose events count, and patterns of them: `owner/repo`, `group/*`; case does not matter. */
  readonly repositories: Places;
  /** Names and patterns of repositories whose events do not count, whatever the others say. Default none. */
  readonly exclude?: Places;
  /** Told of the repository of each event that counts, before anybody hears of that. Default: nobody is. */
  readonly onRepository?: (path: string) => void;
  /** Sign that makes a thread a task. Default: none does. */
  readonly taskSign?: TaskSign | null;
  readonly bell: Pick<Doorbell, 'ring'>;
  /** Called when a thread may have become a task: somebody should look for tasks now. Default: nobody is. */
  readonly wake?: () => void;
  /** Default: silent. */
  readonly logger?: Pick<Logger, 'debug' | 'warn'>;
}

const expectPlaces: Expectation = {
  isMet: (value) => Array.isArray(value) || typeof value === 'function',
  text: 'an array of names and patterns of repositories, or a function that returns one',
};

/** Conditions of the options of a receiver. */
export const receiverExpectations: ExpectationsOf<WebhookReceiverOptions> = {
  origin: {
    ...expectPort('refusal', 'open'),
    text: 'what createGitHubOrigin or createGitLabOrigin returns',
  },
  repositories: expectPlaces,
  exclude: expectPlaces,
  onRepository: expected.function,
  taskSign: expectNullable(expected.object),
  bell: expectPort('ring'),
  wake: expected.function,
  logger: expectPort('debug', 'warn'),
};

/** Options that a receiver needs. */
export const requiredOfReceivers = ['origin', 'repositories', 'bell'] as const;

const silent = { debug() {}, warn() {} };

/** Number of delivery ids that are remembered. GitHub delivers again only when somebody asks for it, GitLab within a day. */
const capacity = 10_000;

/**
 * Verifies, reads and rings. Deliveries that come twice, late or in another order do no harm, because they only ring;
 * genuine ones that cannot be used are answered with 202, because GitLab switches off a webhook that fails four times.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/#auto-disabled-webhooks
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  checkOptions('WebhookReceiverOptions', options, receiverExpectations, requiredOfReceivers);
  const { origin, logger = silent } = options;
  const { name, maxBodyBytes } = origin;
  const known = createRememberedIds({ capacity });
  let refusals = 0;
  const refuse = (text: string): WebhookAnswer => {
    // Whoever is outside must not fill the log: one line until a delivery is genuine again.
    if (refusals === 0) logger.warn({ origin: name, reason: text }, 'refused webhook');
    refusals += 1;
    return { status: 401, text };
  };
  const answer = heed(options);
  return {
    name,
    maxBodyBytes,
    refuse: (header) => {
      const reason = origin.refusal(header);
      return reason === null ? null : refuse(reason);
    },
    receive: async (delivery) => {
      const body = await origin.open(delivery);
      if (body === null)
        return refuse('The signature does not match the secret. Enter the same secret on both sides.');
      refusals = 0;
      const { event, id } = origin.describe(delivery.header);
      const unusable = (reason: string): WebhookAnswer => {
        logger.warn({ origin: name, event, id, reason }, 'received unusable webhook');
        return { status: 202, text: `Ignored: ${reason}` };
      };
      if (event === null) return unusable('There is no header that names the event.');
      if (id !== null && !known.add(id)) return { status: 200, text: 'This delivery was already received.' };
      const payload = parsePayload(body);
      if (payload === undefined)
        return unusable('The body is not JSON, or holds more lists and objects than a delivery has.');
      const told = origin.parse(event, payload);
      logger.debug({ origin: name, event, id, kind: told.kind }, 'received webhook');
      if (told.kind === 'malformed') return unusable(`The body does not fit its event.\n${told.reason}`);
      return answer(told);
    },
  };
}

function heed(
  options: WebhookReceiverOptions,
): (event: Exclude<WebhookEvent, { kind: 'malformed' }>) => WebhookAnswer {
  const readRepositories = readingPlaces(options.repositories);
  const readExcluded = readingPlaces(options.exclude ?? []);
  const { taskSign = null } = options;
  const ring = (happening: Happening): WebhookAnswer => {
    const { repository, rings } = happening;
    const names = (place: string) =>
      isPlacePattern(place)
        ? parsePlacePattern(place).matches(repository)
        : place.toLowerCase() === repository.toLowerCase();
    if (!readRepositories().some(names) || readExcluded().some(names))
      return { status: 202, text: 'Ignored: this repository is not configured here.' };
    options.onRepository?.(repository);
    for (const one of rings) options.bell.ring(one);
    const isTask = taskSign !== null && shows(happening, taskSign);
    if (isTask) options.wake?.();
    return { status: 202, text: rings.length > 0 || isTask ? 'Received.' : 'Nothing to do.' };
  };
  return (event) => {
    if (event.kind === 'happening') return ring(event);
    if (event.kind === 'ping') return { status: 200, text: 'Here.' };
    return { status: 202, text: `Ignored: ${event.reason}.` };
  };
}

/** True where a happening may have set the sign. Who is assigned or mentioned is left to the search. */
function shows({ labels, isAssigned, texts }: Happening, sign: TaskSign): boolean {
  if (sign.kind === 'assignment') return isAssigned;
  if (sign.kind === 'mention') return texts.some((text) => text.includes('@'));
  return labels.some((label) => label.toLowerCase() === sign.label.toLowerCase());
}

/** The newest ids that were seen. */
export interface RememberedIds {
  /** Tells whether this one is new; from now on it is known. */
  readonly add: (id: string) => boolean;
}

/**
 * Remembers at least so many ids, at most twice as many. They are forgotten half by half: a set whose oldest entries
 * are taken out one by one gets slow, because it looks through the places of those that are gone.
 */
export function createRememberedIds({ capacity }: { readonly capacity: number }): RememberedIds {
  let older = new Set<string>();
  let newer = new Set<string>();
  return {
    add: (id) => {
      const isNew = !newer.has(id) && !older.has(id);
      if (newer.size === capacity) [older, newer] = [newer, new Set()];
      newer.add(id);
      return isNew;
    },
  };
}
