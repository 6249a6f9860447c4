import type { RESTOptions } from 'discord.js';
import { BotError } from '../bot-error.ts';
import { type Clock, sleep } from '../waits.ts';

type MakeRequest = RESTOptions['makeRequest'];
type RestResponse = Awaited<ReturnType<MakeRequest>>;

/** Least milliseconds between two requests of a route that Discord limits without naming a time. */
const pauseMs = 2_000;
/** Number of times that one request is sent. Its caller decides whether to try again later. */
const maxTries = 4;

/**
 * Waits after a 429. The library reads the time from `Retry-After` alone, and repeats the request at once if there is no such header.
 * Here a time in the body counts too, and the longer of the two wins. Without any time, a route gets one request in two seconds:
 * Discord blocks an address after 10,000 refused requests in ten minutes.
 *
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 * @see https://github.com/discord/discord-api-docs/issues/1771 (429 by Cloudflare, without headers)
 * @see https://github.com/discord/discord-api-docs/issues/6109 (the header names a shorter time than the body)
 */
export function paceRequests(makeRequest: MakeRequest, clock: Clock): MakeRequest {
  const notBefore = new Map<string, number>();
  return async (url, init) => {
    const route = toRoute(url, init.method ?? 'GET');
    const signal = init.signal ?? new AbortController().signal;
    for (let tried = 1; ; tried += 1) {
      await sleep(clock, (notBefore.get(route) ?? 0) - clock.now(), signal);
      signal.throwIfAborted();
      const response = await makeRequest(url, init);
      if (response.status !== 429) {
        notBefore.delete(route);
        return response;
      }
      const body = await response.text();
      const waitMs = findWaitMs(response, { body, now: clock.now() });
      if (waitMs !== null) return withRetryAfter(response, { body, waitMs });
      notBefore.set(route, clock.now() + pauseMs);
      if (tried === maxTries) {
        throw new BotError('discord-temporary', 'Discord limits requests and names no time', { status: 429 });
      }
    }
  };
}

/** Method and path without the ids of messages: Discord counts by channel, server and webhook. */
function toRoute(url: string, method: string): string {
  const { pathname } = new URL(url);
  return `${method} ${pathname.replace(/(\/(?:messages|reactions|users)\/)[^/]+/g, '$1*')}`;
}

/** Milliseconds that Discord asks to wait; null if it names no time. */
function findWaitMs(
  { headers }: RestResponse,
  { body, now }: { readonly body: string; readonly now: number },
): number | null {
  const header = headers.get('retry-after')?.trim() ?? '';
  const inHeader = /^[\d.]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  const waits = [inHeader, readRetryAfter(body) * 1_000].filter((waitMs) => waitMs > 0);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** NaN if there is no number. */
function readRetryAfter(body: string): number {
  try {
    const { retry_after: seconds } = JSON.parse(body) as { readonly retry_after?: unknown };
    return typeof seconds === 'number' ? seconds : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function withRetryAfter(
  { status, statusText, headers: given }: RestResponse,
  { body, waitMs }: { readonly body: string; readonly waitMs: number },
): RestResponse {
  const headers = new Headers([...given] as [string, string][]);
  const seconds = String(waitMs / 1_000);
  headers.set('retry-after', seconds);
  if (headers.has('x-ratelimit-reset-after')) headers.set('x-ratelimit-reset-after', seconds);
  return new Response(body, { status, statusText, headers });
}
