import type { Logger } from '@agent/text';
import { withinTimeLimit } from '@agent/text/waiting';
import { type AnswerSeal, createAnswerSeal, type OpenedAnswer } from './answer-seal.ts';
import { toReadAnswer } from './bounded-fetch.ts';
import type { SharedAnswers } from './shared-answers.ts';

/** Connection whose answers are shared. */
export interface AnswerSharingOptions {
  readonly answers: SharedAnswers;
  readonly baseUrl: string;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Gives the fetch of a read the answers that others had. What that fetch answers has been read to its end. */
export type AnswerSharing = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/**
 * Asks with the ETag of the newest answer that any process of the credential had, and gives that answer where the platform
 * says in this very request that it still holds. Where the place of the answers is away, each process asks for itself: no
 * request fails because of it, or waits for long.
 *
 * No request asks with a time (`If-Modified-Since`): its seconds are too coarse to tell two changes apart.
 */
export function createAnswerSharing(options: AnswerSharingOptions): AnswerSharing {
  const place = openPlace(options);
  const sealOf = createSealChooser(options);
  const outdated = createOutdatedTags();
  const findOffer = async (seal: AnswerSeal, key: string, knownTag: string | null) => {
    const kept = await place(({ read }) => read(key, { knownTag }));
    const tag = kept?.tag ?? null;
    if (kept === null || kept.content === null || outdated.has(key, kept.tag)) return { tag, offer: null };
    return { tag, offer: await seal.open(key, { tag: kept.tag, content: kept.content }) };
  };
  return (ask) => async (input, init) => {
    const url = String(input);
    const headers = new Headers(init?.headers);
    const seal = sealOf(headers.get('authorization') ?? '');
    const key = seal.keyOf(url, headers);
    const { tag: keptTag, offer } = await findOffer(seal, key, headers.get('if-none-match'));
    if (offer !== null) headers.set('if-none-match', offer.tag);
    const response = await ask(input, { ...init, headers: Object.fromEntries(headers) });
    if (response.status === 304 && offer !== null) return toConfirmed(offer, response);
    const tag = response.headers.get('etag');
    if (response.status !== 200 || tag === null) return response;
    outdated.note(key, keptTag === tag ? null : keptTag);
    const answer = await seal.close(key, { tag, url, response });
    if (answer !== null) await place(({ keep }) => keep(key, answer));
    return response;
  };
}

/**
 * Chooses the seal of the token that a request has. ETags differ by token: what was given to another token would never be confirmed, so that
 * processes share answers as long as they have one token, and begin anew with the next.
 */
function createSealChooser({ baseUrl }: Pick<AnswerSharingOptions, 'baseUrl'>) {
  let last: { readonly token: string; readonly seal: AnswerSeal } | null = null;
  return (token: string): AnswerSeal => {
    if (last?.token !== token) last = { token, seal: createAnswerSeal({ token, baseUrl }) };
    return last.seal;
  };
}

/**
 * An answer that was confirmed, with the limits of this moment. ETags of GitHub do not cover the links, and its confirmations do
 * not always repeat them; of kept links the one to the last page may be too old: whoever went back from there would miss pages.
 */
function toConfirmed({ tag, contentType, link, body }: OpenedAnswer, confirmation: Response): Response {
  const headers = new Headers(confirmation.headers);
  headers.set('etag', tag);
  headers.set('content-type', contentType);
  const kept = (link ?? '').split(/,\s*(?=<)/u).filter((one) => !/;\s*rel="last"/u.test(one));
  if (!headers.has('link') && kept.join('') !== '') headers.set('link', kept.join(', '));
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const response = new Response(null, { status: 200, headers });
  Object.defineProperty(response, 'url', { value: confirmation.url });
  return toReadAnswer(response, body);
}

/** Keys of which is remembered that the answer kept there holds no more. */
const maxOutdated = 1_000;

/** Remembers what holds no more though it is still kept, because the newer answer is too large or the place was away: nobody asks with that for ever. */
function createOutdatedTags() {
  const tags = new Map<string, string>();
  return {
    has: (key: string, tag: string): boolean => tags.get(key) === tag,
    /** Null where what is kept holds, or nothing is. */
    note: (key: string, tag: string | null): void => {
      tags.delete(key);
      if (tag !== null) tags.set(key, tag);
      for (const oldest of tags.keys()) if (tags.size > maxOutdated) tags.delete(oldest);
    },
  };
}

/** Milliseconds that a request waits for the place of the answers. */
const patienceMs = 500;

/** Asks the place of the answers: null where it fails or takes too long. It is not asked again while such a question is open. */
function openPlace({ answers, sleep, logger }: AnswerSharingOptions) {
  let isAway = false;
  let isTold = false;
  const tooLong = () => new Error(`There was no answer within ${patienceMs} ms.`);
  return async <Result>(use: (answers: SharedAnswers) => Promise<Result>): Promise<Result | null> => {
    if (isAway) return null;
    const asked = use(answers);
    try {
      const result = await withinTimeLimit(() => asked, { timeoutMs: patienceMs, tooLong, sleep });
      isTold = false;
      return result;
    } catch (error) {
      if (!isTold) logger.warn({ err: error }, unknownAnswers);
      [isAway, isTold] = [true, true];
      void asked
        .catch(() => undefined)
        .then(() => {
          isAway = false;
        });
      return null;
    }
  };
}

const unknownAnswers = 'failed to share answers of platform with other processes; requesting them directly';
