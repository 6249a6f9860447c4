import { until } from '../support/until.ts';
import type { Cluster, ClusterThread } from './cluster.ts';
import type { ClusterProcess, Role } from './cluster-process.ts';
import type { Harm } from './harm.ts';
import { carryOut, type Doing } from './harm-hands.ts';
import { createHarmLog, type HarmLog } from './harm-log.ts';
import { countResults, isQuestion, recognizeMoment } from './moments.ts';
import { createPlaces, type Places } from './places.ts';
import type { Sight } from './watcher.ts';

/** Sees to it that each harm befalls its thread at its moment. */
export interface Director {
  readonly log: HarmLog;
  /** Sets the traps of a thread. */
  readonly prepare: (thread: ClusterThread) => void;
  /** Does what found no moment until the thread ended, and waits for the end of what was done about it. */
  readonly finish: (thread: ClusterThread) => Promise<void>;
}

/** Processes of a role that are harmed at the same time: one is left. */
const mostAtOnce: Readonly<Record<Role, number>> = { work: 2, look: 1 };

export function createDirector(cluster: Cluster, harms: readonly Harm[]): Director {
  const log = createHarmLog();
  const places = { work: createPlaces(mostAtOnce.work), look: createPlaces(mostAtOnce.look) };
  const stage: Stage = { cluster, log, places, harmed: new Set() };
  const plots = new Map<ClusterThread, readonly Plot[]>();
  return {
    log,
    prepare: (thread) => {
      const own = harms.filter((harm) => harm.thread === thread.ordinal);
      const set = own.map((harm) => new Plot(stage, { harm, thread }));
      plots.set(thread, set);
      for (const plot of set) plot.begin();
    },
    finish: async (thread) => {
      await Promise.all((plots.get(thread) ?? []).map((plot) => plot.finish()));
    },
  };
}

interface Stage {
  readonly cluster: Cluster;
  readonly log: HarmLog;
  readonly places: Readonly<Record<Role, Places>>;
  /** Names of processes. */
  readonly harmed: Set<string>;
}

/** One harm, from its wait to its end. */
class Plot {
  readonly #stage: Stage;
  readonly #harm: Harm;
  readonly #thread: ClusterThread;
  #untrap: () => void = () => {};
  #over: Promise<void> | null = null;
  #hasPlace = false;
  #isFinished = false;
  readonly #livesAt = new WeakMap<Sight, number>();

  constructor(stage: Stage, { harm, thread }: { readonly harm: Harm; readonly thread: ClusterThread }) {
    this.#stage = stage;
    this.#harm = harm;
    this.#thread = thread;
  }

  begin(): void {
    const { step, moment, side } = this.#harm;
    if (step === null) {
      this.#awaitMoment(null);
      return;
    }
    const isDue = (sight: Sight): boolean =>
      sight.kind === 'request' &&
      sight.side === (moment === 'question' ? side : 'before') &&
      sight.process.startsWith('worker') &&
      isQuestion(sight, this.#thread) &&
      countResults(sight) >= step;
    this.#set(isDue, async (sight) => {
      if (!(await this.#claim(sight))) return this.#isLive(sight);
      if (moment === 'question') return this.#strike(sight);
      const uuid = (await this.#stage.cluster.findRuns(this.#thread)).at(-1) ?? null;
      this.#awaitMoment(uuid);
      return true;
    });
  }

  #awaitMoment(uuid: string | null): void {
    this.#set(recognizeMoment(this.#harm, { thread: this.#thread, uuid }), async (sight) =>
      (await this.#claim(sight)) ? this.#strike(sight) : this.#isLive(sight),
    );
  }

  /** Waits until there is room for one more harm. @returns false where this process cannot be its target any more */
  async #claim(sight: Sight): Promise<boolean> {
    const lives = this.#find(sight).lives();
    this.#livesAt.set(sight, lives);
    if (!this.#hasPlace) await this.#places.take();
    this.#hasPlace = true;
    if (!this.#isFinished && this.#isLive(sight) && !this.#stage.harmed.has(sight.process)) return true;
    this.#leavePlace();
    // Another harm was first: whoever goes on with the thread comes to the moment again.
    if (!this.#isFinished) this.begin();
    return false;
  }

  /** Whether the process that does this is still there. */
  #isLive(sight: Sight): boolean {
    const process = this.#find(sight);
    return process.isAlive() && process.lives() === this.#livesAt.get(sight);
  }

  #set(sees: (sight: Sight) => boolean, act: (sight: Sight) => Promise<boolean>): void {
    this.#untrap = this.#stage.cluster.watcher.set({
      sees: (sight) => !this.#stage.harmed.has(sight.process) && sees(sight),
      act,
    });
  }

  #strike(sight: Sight): Promise<boolean> {
    return this.#do(this.#find(sight), sight).passes;
  }

  #do(target: ClusterProcess, sight: Sight | null): Doing {
    const { cluster, log, harmed } = this.#stage;
    harmed.add(target.name);
    const doing = carryOut(cluster, { harm: this.#harm, target, sight }, log);
    this.#over = doing.over.finally(() => {
      harmed.delete(target.name);
      this.#leavePlace();
    });
    return doing;
  }

  get #places(): Places {
    return this.#stage.places[this.#harm.role];
  }

  #leavePlace(): void {
    if (this.#hasPlace) this.#places.leave();
    this.#hasPlace = false;
  }

  #find({ process }: Pick<Sight, 'process'>): ClusterProcess {
    return this.#stage.cluster.processes.find(({ name }) => name === process) as ClusterProcess;
  }

  async finish(): Promise<void> {
    this.#isFinished = true;
    this.#untrap();
    if (this.#over === null) {
      this.#stage.log.missed += 1;
      await this.#strikeAnybody();
    }
    await this.#over;
  }

  async #strikeAnybody(): Promise<void> {
    const { cluster, harmed } = this.#stage;
    if (!this.#hasPlace) await this.#places.take();
    this.#hasPlace = true;
    const isMeant = ({ name, role, isAlive }: ClusterProcess) =>
      role === this.#harm.role && isAlive() && !harmed.has(name);
    await until('somebody is there to be harmed', () => cluster.processes.some(isMeant));
    this.#do(cluster.processes.find(isMeant) as ClusterProcess, null);
  }
}
