import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from '@agent/simulators/model';
import { type DaemonExit, runDaemonCommand } from '../../support/daemon-process.ts';
import type { Forge, ForgeName } from '../../support/forge.ts';
import { until } from '../../support/until.ts';
import { projectFiles, startWorld, type World } from '../../support/world.ts';
import { type DaemonLife, startLife } from './daemon-life.ts';
import { createFaultDesk, type FaultDesk } from './fault-desk.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { layOut, openThread, type Place, type ThreadKind } from './lay-out.ts';
import { markerOf } from './marker.ts';
import { createPeople, type People } from './people.ts';
import { createSteppingScript, stepProgram, watchSteps } from './stepping-script.ts';

export interface BedOptions {
  readonly forge: ForgeName;
  /** Default `issue`. */
  readonly kind?: ThreadKind;
  /** Default 5. */
  readonly steps?: number;
  /** The model. Default: it takes the steps, one after the other. */
  readonly script?: Script;
  /** Calls in the model's first answer. Default 2. */
  readonly callsAtOnce?: number;
  /** How many times faster than in life the daemon waits. Default 100. */
  readonly speed?: number;
  /** Sections of the configuration that differ. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A thread, its people, a model, and daemons behind a proxy that can do them harm. */
export interface TrialBed {
  readonly world: World;
  readonly forge: Forge;
  readonly desk: FaultDesk;
  readonly people: People;
  /** Of the thread that the work is about. */
  readonly reference: string;
  readonly lives: readonly DaemonLife[];
  /** Repositories on disk that the work is not about, for whoever adds some. */
  readonly neighbors: string[];
  /** Does it when the model's conversation has so many results, once, before the model answers. */
  readonly at: (step: number, act: () => void) => void;
  /** What the tools did outside of all repositories. */
  readonly readEffects: () => Promise<readonly string[]>;
  /** Starts a daemon; one that polls, unless `once`. */
  readonly start: (options?: StartOptions) => DaemonLife;
  /** A command at a terminal: `['status']`. */
  readonly command: (command: readonly string[], at?: Place) => Promise<DaemonExit>;
  readonly contexts: (at?: Place) => string;
  /** Ids of the runs that lie there. */
  readonly listRuns: (state: RunPlace, at?: Place) => Promise<readonly string[]>;
  /** Ids of the runs in `running/` and `paused/`. */
  readonly listOpen: (at?: Place) => Promise<readonly string[]>;
  /** Resumes each run that is paused, at a terminal. */
  readonly resumeAll: () => Promise<void>;
  /** Sets the forge's clock by so many milliseconds. */
  readonly turnClock: (milliseconds: number) => void;
  /** Waits for a final comment on the thread, but no longer than that. @returns whether it is there */
  readonly ended: (milliseconds: number) => Promise<boolean>;
  /** Lifts all faults and starts the daemon again until nothing is open, or often enough. */
  readonly settle: (at?: Place) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type RunPlace = 'running' | 'paused' | 'completed';

export interface StartOptions {
  /** Default false. */
  readonly once?: boolean;
  /** Default `first`. */
  readonly at?: Place;
  readonly environment?: Readonly<Record<string, string>>;
  /** True: in process ids, network and host name of its own, as in a container. Default false. */
  readonly apart?: boolean;
  /** Modules that are loaded into it before anything else. Default none. */
  readonly preloads?: readonly string[];
}

/** Three deaths in a row give a run up: what is begun before that is ended by this many undisturbed starts. */
const lastStarts = 4;

export async function openBed(options: BedOptions): Promise<TrialBed> {
  const { forge: forgeName, steps = 5, callsAtOnce = 2, speed = 100 } = options;
  const outside = await mkdtemp(join(tmpdir(), 'daemon-effects-'));
  const effects = join(outside, 'effects.txt');
  const lives: DaemonLife[] = [];
  let offset = 0;
  const turns: { readonly step: number; readonly act: () => void }[] = [];
  const world = await startWorld({
    script: watchSteps(options.script ?? createSteppingScript({ steps, callsAtOnce }), (step) => {
      for (const turn of turns) if (turn.step === step) turn.act();
    }),
    api: forgeName === 'github' ? 'responses' : 'chat',
    forges: [forgeName],
    files: { ...projectFiles, 'step.sh': stepProgram(effects) },
    config: {
      tools: { run_command: { allow: ['sh'], sandbox: 'off', allow_root: true } },
      comment_detection: { enabled: true },
      ...options.config,
    },
    now: () => Date.now() + offset,
  });
  const { forge } = world;
  const desk = createFaultDesk();
  const sockets = { forge: join(outside, 'forge.sock'), model: join(outside, 'model.sock') };
  const forgeProxy = await startFaultProxy(forge.url, { desk, socket: sockets.forge });
  const model = new URL(world.model.baseUrl).origin;
  const modelProxy = await startFaultProxy(model, { desk, socket: sockets.model });
  const relays = {
    [new URL(forgeProxy.url).port]: sockets.forge,
    [new URL(modelProxy.url).port]: sockets.model,
  };
  const places = await layOut(world, { [forge.url]: forgeProxy.url, [model]: modelProxy.url });
  const { reference } = await openThread(forge, options.kind ?? 'issue');
  const people = createPeople(forge, reference);

  function start(given: StartOptions = {}): DaemonLife {
    const { once = false, at = 'first', environment = {}, apart = false, preloads = [] } = given;
    const { configFile, temporary } = places[at];
    const more = apart ? { ...environment, RELAYS: JSON.stringify(relays) } : environment;
    const life = startLife({ configFile, temporary, once, speed, environment: more, apart, preloads });
    lives.push(life);
    return life;
  }

  async function listRuns(state: RunPlace, at: Place = 'first'): Promise<readonly string[]> {
    const names = await readdir(join(places[at].contexts, state)).catch(() => []);
    return names.filter((name) => /^[0-9a-f-]{36}$/.test(name));
  }

  async function listOpen(at: Place = 'first'): Promise<readonly string[]> {
    return [...(await listRuns('running', at)), ...(await listRuns('paused', at))];
  }

  function isEnded(): boolean {
    return forge.thread(reference).comments.some(({ body }) => markerOf.exec(body)?.[2] === 'final');
  }

  return {
    world,
    forge,
    desk,
    people,
    reference,
    lives,
    neighbors: [],
    at: (step, act) => void turns.push({ step, act }),
    readEffects: async () => (await readFile(effects, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    start,
    command: (command, at = 'first') => runDaemonCommand(places[at].configFile, command),
    contexts: (at = 'first') => places[at].contexts,
    listRuns,
    listOpen,
    resumeAll: async () => {
      for (const uuid of await listRuns('paused'))
        await runDaemonCommand(places.first.configFile, ['resume', uuid]);
    },
    turnClock: (milliseconds) => {
      offset += milliseconds;
    },
    ended: (timeoutMs) =>
      until('a final comment', isEnded, { timeoutMs }).then(
        () => true,
        () => false,
      ),
    settle: async (at = 'first') => {
      desk.liftAll();
      for (let round = 0; round < lastStarts; round += 1) {
        await start({ once: true, at }).exited;
        if ((await listOpen(at)).length === 0) return;
      }
    },
    close: async () => {
      await Promise.all(lives.map(({ wake }) => wake()));
      await Promise.all(lives.map(({ kill }) => kill()));
      await Promise.all([forgeProxy.close(), modelProxy.close()]);
      await world.close();
      await rm(outside, { recursive: true, force: true });
    },
  };
}
