import { type HttpProxy, startHttpProxy } from '@agent/simulators/trials';
import type { RequestMoment } from './moment.ts';

/** Shared by the proxies before all servers, so that requests are counted in one row. */
export interface RequestWatch {
  /** Counts anew, for the next moment. */
  readonly arm: (moment: RequestMoment | null, end: EndOfLife) => void;
  /** Requests since the last `arm`. */
  readonly count: () => number;
  /** Which side of this request somebody is to be killed at; null for most of them. */
  readonly take: (label: string) => (EndOfLife & Pick<RequestMoment, 'side'>) | null;
}

export interface EndOfLife {
  /** Resolves when the process is gone, or has its signal or its request to pause if it survives that. */
  readonly act: (label: string) => Promise<void>;
  /** True for a signal that lets the process go on: it gets its answer. */
  readonly survives: boolean;
}

export function createRequestWatch(): RequestWatch {
  let armed: (EndOfLife & { readonly moment: RequestMoment }) | null = null;
  let count = 0;
  return {
    arm: (moment, end) => {
      armed = moment === null ? null : { moment, ...end };
      count = 0;
    },
    count: () => count,
    take: (label) => {
      if (armed !== null && !label.includes(armed.moment.match)) return null;
      count += 1;
      if (armed === null || count !== armed.moment.nth) return null;
      const { moment, ...end } = armed;
      armed = null;
      return { side: moment.side, ...end };
    },
  };
}

/** Starts a proxy that passes everything on, except the one request that its client does not survive. */
export function startKillingProxy(upstream: string, watch: RequestWatch): Promise<HttpProxy> {
  return startHttpProxy(upstream, async ({ method, path, forward }) => {
    const label = `${method} ${decodeURIComponent(path)}`;
    const end = watch.take(label);
    if (end !== null && end.side !== 'after') await end.act(label);
    if (end?.side === 'before' && !end.survives) return 'close';
    const answer = await forward();
    if (end?.side === 'after') await end.act(label);
    // A git process outlives the daemon that started it, and gets its answer.
    return end !== null && !end.survives && !label.includes('.git/') ? 'close' : answer;
  });
}
