import { type Effect, type Fault, isMeant, type Meant } from './fault.ts';
import { nameRoute, type ProxiedRequest, type Route } from './route.ts';

/** A request that came to a proxy, and what became of it. */
export interface SeenRequest extends ProxiedRequest {
  readonly route: Route;
  /** What its client got: 0 for a connection that was reset. */
  readonly status: number;
  /** Milliseconds since the epoch at which it came. */
  readonly at: number;
  readonly fault: Effect['kind'] | null;
}

/** Something to be done at a request, once. */
export interface Happening {
  readonly meant: Meant;
  /** Of the requests that are meant, from 1. Default 1. */
  readonly nth?: number;
  /** Default `before`. */
  readonly side?: 'before' | 'after';
  /** The request waits for it. `drop`: its client gets no answer. */
  readonly act: () => unknown;
}

/** Says to the proxies what goes wrong, and keeps what they saw. */
export interface FaultDesk {
  /** @returns what lifts it */
  readonly add: (fault: Fault) => () => void;
  readonly liftAll: () => void;
  /** @returns whether it has happened */
  readonly when: (happening: Happening) => () => boolean;
  readonly seen: readonly SeenRequest[];
  /** For proxies: those that befall the request, each used up by one. */
  readonly take: (request: ProxiedRequest) => readonly Effect[];
  /** For proxies: does what is to be done; false where the client is to get no answer. */
  readonly meet: (request: ProxiedRequest, side: 'before' | 'after') => Promise<boolean>;
  readonly record: (request: SeenRequest) => void;
}

interface OpenFault {
  readonly fault: Fault;
  left: number;
  until: number;
}

interface OpenHappening {
  readonly happening: Happening;
  count: number;
  isOver: boolean;
}

export function createFaultDesk(now: () => number = Date.now): FaultDesk {
  const open = new Set<OpenFault>();
  const happenings: OpenHappening[] = [];
  const seen: SeenRequest[] = [];

  function befalls(entry: OpenFault, request: ProxiedRequest): boolean {
    if (!isMeant(request, entry.fault.meant)) return false;
    if (entry.left === 0 || now() > entry.until) return false;
    if (entry.until === Number.POSITIVE_INFINITY) entry.until = now() + (entry.fault.forMs ?? Infinity);
    entry.left -= 1;
    return true;
  }

  async function happen(entry: OpenHappening, request: ProxiedRequest): Promise<boolean> {
    const { meant, nth = 1, act } = entry.happening;
    if (entry.isOver || !isMeant(request, meant)) return true;
    entry.count += 1;
    if (entry.count < nth) return true;
    entry.isOver = true;
    return (await act()) !== 'drop';
  }

  return {
    add: (fault) => {
      const entry = { fault, left: fault.times ?? Infinity, until: Infinity };
      open.add(entry);
      return () => void open.delete(entry);
    },
    liftAll: () => open.clear(),
    when: (happening) => {
      const entry = { happening, count: 0, isOver: false };
      happenings.push(entry);
      return () => entry.isOver;
    },
    seen,
    take: (request) =>
      [...open].filter((entry) => befalls(entry, request)).map(({ fault: { effect } }) => effect),
    meet: async (request, side) => {
      let isAnswered = true;
      // What is planned while this one is met is meant for later ones.
      for (const entry of [...happenings]) {
        if ((entry.happening.side ?? 'before') !== side) continue;
        isAnswered = (await happen(entry, request)) && isAnswered;
      }
      return isAnswered;
    },
    record: (request) => seen.push(request),
  };
}

/** What is kept of a request. */
export function toSeen(
  request: ProxiedRequest,
  more: Pick<SeenRequest, 'status' | 'at' | 'fault'>,
): SeenRequest {
  return { ...request, route: nameRoute(request), ...more };
}
