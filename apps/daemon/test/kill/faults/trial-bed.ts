import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DaemonExit, runDaemonCommand } from '../../support/daemon-process.ts';
import type { Forge, ForgeName } from '../../support/forge.ts';
import { projectFiles, startWorld, type World } from '../../support/world.ts';
import { type DaemonLife, startLife } from './daemon-life.ts';
import { createFaultDesk, type FaultDesk } from './fault-desk.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { agentLabel, createPeople, type People } from './people.ts';
import { createSteppingScript, stepProgram } from './stepping-script.ts';

export interface BedOptions {
  readonly forge: ForgeName;
  /** Default `issue`. */
  readonly kind?: 'issue' | 'change-request';
  /** Default 5. */
  readonly steps?: number;
  /** How many times faster than in life the daemon waits. Default 100. */
  readonly speed?: number;
  /** The forge's clock. */
  readonly now?: () => number;
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
  /** Does it when the model's conversation has so many results, once, before the model answers. */
  readonly at: (step: number, act: () => void) => void;
  /** What the tools did outside of all repositories. */
  readonly readEffects: () => Promise<readonly string[]>;
  /** Starts a daemon; one that polls, unless `once`. */
  readonly start: (options?: StartOptions) => DaemonLife;
  /** A command at a terminal: `['status']`. */
  readonly command: (command: readonly string[], at?: Place) => Promise<DaemonExit>;
  readonly contexts: (at?: Place) => string;
  /** Ids of the runs in `running/` and `paused/`. */
  readonly listOpen: (at?: Place) => Promise<readonly string[]>;
  /** Lifts all faults and starts the daemon again until nothing is open, or often enough. */
  readonly settle: (at?: Place) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Directory of a daemon: they have one each. */
export type Place = 'first' | 'second';

export interface StartOptions {
  /** Default false. */
  readonly once?: boolean;
  /** Default `first`. */
  readonly at?: Place;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
}

/** Three deaths in a row give a run up: what is begun before that is ended by this many undisturbed starts. */
const lastStarts = 4;

export async function openBed(options: BedOptions): Promise<TrialBed> {
  const { forge: forgeName, steps = 5, speed = 100 } = options;
  const outside = await mkdtemp(join(tmpdir(), 'daemon-effects-'));
  const effects = join(outside, 'effects.txt');
  const lives: DaemonLife[] = [];
  const turns: { readonly step: number; readonly act: () => void }[] = [];
  const world = await startWorld({
    script: createSteppingScript({
      steps,
      onStep: (step) => {
        for (const turn of turns) if (turn.step === step) turn.act();
      },
    }),
    api: forgeName === 'github' ? 'responses' : 'chat',
    forges: [forgeName],
    files: { ...projectFiles, 'step.sh': stepProgram(effects) },
    config: {
      tools: { run_command: { allow: ['sh'], sandbox: 'off', allow_root: true } },
      comment_detection: { enabled: true },
      ...options.config,
    },
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const { forge } = world;
  const desk = createFaultDesk();
  const forgeProxy = await startFaultProxy(forge.url, desk);
  const modelProxy = await startFaultProxy(new URL(world.model.baseUrl).origin, desk);
  const places = await layOut(world, {
    [forge.url]: forgeProxy.url,
    [new URL(world.model.baseUrl).origin]: modelProxy.url,
  });
  const { reference } = await openThread(forge, options.kind ?? 'issue');
  const people = createPeople(forge, reference);

  function start(given: StartOptions = {}): DaemonLife {
    const { once = false, at = 'first', environment = {}, nodeArguments = [] } = given;
    const { configFile, temporary } = places[at];
    const life = startLife({ configFile, temporary, once, speed, environment, nodeArguments });
    lives.push(life);
    return life;
  }

  async function listOpen(at: Place = 'first'): Promise<readonly string[]> {
    const lists = await Promise.all(
      ['running', 'paused'].map((name) => readdir(join(places[at].contexts, name)).catch(() => [])),
    );
    return lists.flat().filter((name) => /^[0-9a-f-]{36}$/.test(name));
  }

  return {
    world,
    forge,
    desk,
    people,
    reference,
    lives,
    at: (step, act) => void turns.push({ step, act }),
    readEffects: async () => (await readFile(effects, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    start,
    command: (command, at = 'first') => runDaemonCommand(places[at].configFile, command),
    contexts: (at = 'first') => places[at].contexts,
    listOpen,
    settle: async (at = 'first') => {
      desk.liftAll();
      for (let round = 0; round < lastStarts; round += 1) {
        await start({ once: true, at }).exited;
        if ((await listOpen(at)).length === 0) return;
      }
    },
    close: async () => {
      for (const { wake } of lives) wake();
      await Promise.all(lives.map(({ kill }) => kill()));
      await Promise.all([forgeProxy.close(), modelProxy.close()]);
      await world.close();
      await rm(outside, { recursive: true, force: true });
    },
  };
}

interface DaemonPlace {
  readonly configFile: string;
  readonly contexts: string;
  readonly temporary: string;
}

/** Two directories with the same configuration, whose servers are behind the proxies. */
async function layOut(
  world: World,
  addresses: Readonly<Record<string, string>>,
): Promise<Readonly<Record<Place, DaemonPlace>>> {
  let config = await readFile(world.configFile, 'utf8');
  for (const [from, to] of Object.entries(addresses)) config = config.replaceAll(from, to);
  const make = async (directory: string): Promise<DaemonPlace> => {
    const at = (name: string): string => join(directory, name);
    await mkdir(at('tmp'), { recursive: true });
    await writeFile(at('agent.config.yaml'), config);
    return { configFile: at('agent.config.yaml'), contexts: at('contexts'), temporary: at('tmp') };
  };
  return { first: await make(world.directory), second: await make(join(world.directory, 'second')) };
}

async function openThread(
  forge: Forge,
  kind: NonNullable<BedOptions['kind']>,
): Promise<{ readonly reference: string }> {
  const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: [agentLabel] };
  if (kind === 'issue') return forge.openIssue(seed);
  return forge.openChangeRequest({
    ...seed,
    headBranch: 'alice/total',
    files: { 'NOTES.md': 'Alice was here.\n' },
  });
}
