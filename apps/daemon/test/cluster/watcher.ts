import type { ProxyWatch } from '@agent/simulators/postgres';
import { createFaultDesk, type FaultDesk, type SeenRequest } from '../kill/faults/fault-desk.ts';
import { nameRoute, type ProxiedRequest, type Route } from '../kill/faults/route.ts';
import { createStatementReader, type WritingStatement } from './statements.ts';

/** Something that passes a way of a process: a request to forge or model, or a statement that writes to a run. */
export type Sight = RequestSight | StatementSight;

interface Seen {
  /** Name of the process. */
  readonly process: string;
  /** Seen from the server's effect. */
  readonly side: 'before' | 'after';
}

export interface RequestSight extends Seen, ProxiedRequest {
  readonly kind: 'request';
  readonly route: Route;
}

export interface StatementSight extends Seen, WritingStatement {
  readonly kind: 'statement';
}

/** Waits for something to pass, once. */
export interface Trap {
  readonly sees: (sight: Sight) => boolean;
  /** What passes waits for it. False: it is not passed on. */
  readonly act: (sight: Sight) => Promise<boolean>;
}

/** A request, and the process that made it. */
export interface OwnRequest extends SeenRequest {
  readonly by: string;
}

/** Sees all that passes the ways of all processes. */
export interface Watcher {
  /** @returns what takes the trap away */
  readonly set: (trap: Trap) => () => void;
  /** Desk of both proxies of a process. */
  readonly deskOf: (process: string) => FaultDesk;
  readonly watchDatabase: (process: string) => ProxyWatch;
  /** Requests that were answered so far, of all. */
  readonly requests: readonly OwnRequest[];
  /** Of each run: which process wrote last, and as which opening. */
  readonly writers: ReadonlyMap<string, Pick<StatementSight, 'process' | 'owner'>>;
}

export function createWatcher(): Watcher {
  const traps = new Set<Trap>();
  const requests: OwnRequest[] = [];
  const writers = new Map<string, Pick<StatementSight, 'process' | 'owner'>>();
  const desks = new Map<string, FaultDesk>();

  /** Null where nothing waits for it, as nearly always. */
  function meet(sight: Sight): Promise<boolean> | null {
    const trap = [...traps].find(({ sees }) => sees(sight));
    if (trap === undefined) return null;
    traps.delete(trap);
    return trap.act(sight);
  }

  const openDesk = (process: string): FaultDesk => ({
    ...createFaultDesk(),
    meet: async (request, side) => {
      const sight = { kind: 'request', process, side, route: nameRoute(request), ...request } as const;
      return (await meet(sight)) ?? true;
    },
    record: (request) => requests.push({ ...request, by: process }),
  });

  return {
    set: (trap) => {
      traps.add(trap);
      return () => void traps.delete(trap);
    },
    deskOf: (process) => {
      const desk = desks.get(process) ?? openDesk(process);
      desks.set(process, desk);
      return desk;
    },
    watchDatabase: (process) => {
      const readStatement = createStatementReader();
      let last: WritingStatement | null = null;
      return {
        sent: (chunk) => {
          last = readStatement(chunk);
          if (last === null) return true;
          writers.set(last.uuid, { process, owner: last.owner });
          return meet({ ...last, kind: 'statement', process, side: 'before' }) ?? true;
        },
        answered: () => {
          const sent = last;
          last = null;
          return sent === null
            ? true
            : (meet({ ...sent, kind: 'statement', process, side: 'after' }) ?? true);
        },
      };
    },
    requests,
    writers,
  };
}
