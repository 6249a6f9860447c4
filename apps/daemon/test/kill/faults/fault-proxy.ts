import { setTimeout as delay } from 'node:timers/promises';
import {
  type HttpProxy,
  type ProxyAnswer,
  type ProxyExchange,
  startHttpProxy,
} from '@agent/simulators/trials';
import type { Effect } from './fault.ts';
import { type FaultDesk, toSeen } from './fault-desk.ts';
import type { ProxiedRequest } from './route.ts';
import { createStaleAnswers, type StaleAnswers } from './stale-answers.ts';

export interface ProxyOptions {
  readonly desk: FaultDesk;
  /** Socket in the file system where it listens too. Default null: none. */
  readonly socket?: string | null;
}

const reset: Effect = { kind: 'reset', side: 'before' };

/** Starts a proxy that passes everything on, and does to a request what the desk says. */
export function startFaultProxy(upstream: string, { desk, socket = null }: ProxyOptions): Promise<HttpProxy> {
  const earlier = createStaleAnswers();
  return startHttpProxy(
    upstream,
    async (exchange) => {
      const at = Date.now();
      const { method, path, body } = exchange;
      const request = { method, path: decodeURIComponent(path), body: body.toString() };
      const isAwaited = await desk.meet(request, 'before');
      const effects = isAwaited ? desk.take(request) : [reset];
      const answer = await answerWith(exchange, { request, desk, earlier, effects });
      desk.record(toSeen(request, { status: answer?.status ?? 0, at, fault: effects[0]?.kind ?? null }));
      if (answer === null) return 'reset';
      return { ...answer, isCut: effects.some(({ kind }) => kind === 'truncated') };
    },
    { socket },
  );
}

interface Answering {
  readonly request: ProxiedRequest;
  readonly desk: FaultDesk;
  readonly earlier: StaleAnswers;
  readonly effects: readonly Effect[];
}

/** The answer; null where the connection is to be reset. */
async function answerWith(
  { path, headers, forward }: ProxyExchange,
  { request, desk, earlier, effects }: Answering,
): Promise<ProxyAnswer | null> {
  for (const effect of effects) if (effect.kind === 'slow') await delay(effect.ms);
  for (const effect of effects) {
    if (effect.kind === 'reset' && effect.side === 'before') return null;
    if (effect.kind === 'status' && effect.side === 'before') return refuse(effect);
    if (effect.kind === 'swallowed') return plain(200, effect.body);
    if (effect.kind === 'unchanged' && headers['if-none-match'] !== undefined) return plain(304, '');
  }
  const moved = effects.find(({ kind }) => kind === 'redirected');
  let answer = await forward(moved?.kind === 'redirected' ? moved.to(path) : path);
  const isAnswered = await desk.meet(request, 'after');
  const fresh = answer;
  for (const effect of effects) {
    if (effect.kind === 'reset') return null;
    if (effect.kind === 'status') answer = refuse(effect);
    if (effect.kind === 'stale') answer = earlier.recall(request, { answer, youngMs: effect.youngMs });
    if (effect.kind === 'rewritten')
      answer = { ...answer, body: Buffer.from(effect.rewrite(answer.body.toString(), request)) };
  }
  earlier.keep(request, fresh);
  return isAnswered ? answer : null;
}

function refuse({ status, headers = {} }: Extract<Effect, { kind: 'status' }>): ProxyAnswer {
  const message = `the proxy says ${status}`;
  return plain(status, JSON.stringify({ message, error: message }), headers);
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ProxyAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...(body === '' ? {} : type), ...headers }, body: Buffer.from(body) };
}
