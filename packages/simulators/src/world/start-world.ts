import { z } from 'zod';
import type { ListenOptions } from '../shared/listen.ts';
import { discordWorldSchema, startDiscordService } from './discord-service.ts';
import { gitHubWorldSchema, startGitHubService } from './github-service.ts';
import { gitLabWorldSchema, startGitLabService } from './gitlab-service.ts';
import { modelWorldSchema, startModelService } from './model-service.ts';
import { parseStrictly, type Service } from './service.ts';
import { WorldError } from './world-error.ts';
import type { WorldSeed } from './world-seed.ts';

/** Name of a simulator that can be a part of a world. */
export type ServiceName = keyof WorldSeed;

const starters: Readonly<Record<ServiceName, (data: unknown, place: ListenOptions) => Promise<Service>>> = {
  github: startGitHubService,
  gitlab: startGitLabService,
  discord: startDiscordService,
  model: startModelService,
};

/** All of them, in the order in which they start. */
export const serviceNames = Object.keys(starters) as readonly ServiceName[];

const worldSchema = z.strictObject({
  github: toSection(gitHubWorldSchema),
  gitlab: toSection(gitLabWorldSchema),
  discord: toSection(discordWorldSchema),
  model: toSection(modelWorldSchema),
});

/** A section that may be missing. One with nothing in it, which is null in YAML, starts an empty simulator. */
function toSection<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((data) => (data === null ? {} : data), schema.optional());
}

/** Options of a world; each has a default. */
export interface WorldOptions {
  /** Address of this machine to listen at. Default 127.0.0.1, which nobody else reaches. */
  readonly host?: string;
  /** Sections of the seed that are started. Default: all that it has. */
  readonly services?: readonly ServiceName[];
  /** Default: free ones. */
  readonly ports?: Readonly<Partial<Record<ServiceName, number>>>;
}

/** Simulators that run together. */
export interface World {
  /** Addresses by name. */
  readonly urls: () => Readonly<Partial<Record<ServiceName, string>>>;
  /** Requests since the start or the last reset, oldest first. @throws WorldError for one that does not run */
  readonly requests: (name: ServiceName) => readonly object[];
  /** Makes the next requests to one of them fail. @throws WorldError where that makes no sense */
  readonly fail: (name: ServiceName, fault: unknown) => void;
  /** Puts everything back to the seed, at the same addresses; connections break. @throws WorldError once it is closed */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the simulators that a seed has sections for, and plants what the sections say.
 *
 * @throws WorldError with the place of what is wrong in the seed; nothing runs then
 * @example
 * const world = await startWorld({ github: { users: ['alice'], repositories: [{ owner: 'alice', name: 'shop' }] } });
 * console.log(world.urls().github);
 * await world.close();
 */
export async function startWorld(seed: WorldSeed, options: WorldOptions = {}): Promise<World> {
  const {
    host,
    ports = {},
    services: wanted = serviceNames.filter((name) => seed[name] !== undefined),
  } = options;
  // The annotation holds the schema against the type.
  const sections: WorldSeed = parseStrictly(worldSchema, seed, 'The world makes no sense:');
  const missing = wanted.find((name) => seed[name] === undefined);
  if (missing !== undefined) throw new WorldError(`The seed has no section "${missing}:".`);
  const services = new Map<ServiceName, Service>();
  const close = async (): Promise<void> => {
    await Promise.all([...services.values()].map((service) => service.close()));
    services.clear();
  };
  const start = async (places: Readonly<Partial<Record<ServiceName, number>>>): Promise<void> => {
    try {
      for (const name of wanted) {
        services.set(name, await starters[name](sections[name], { host, port: places[name] }));
      }
    } catch (error) {
      await close();
      throw error;
    }
  };
  const serviceOf = (name: ServiceName): Service => {
    const service = services.get(name);
    if (service !== undefined) return service;
    throw new WorldError(`The simulator ${name} is not started. Started: ${wanted.join(', ')}.`);
  };
  await start(ports);
  const urls = () => Object.fromEntries([...services].map(([name, { url }]) => [name, url]));
  const places = Object.fromEntries(
    [...services].map(([name, { url }]) => [name, Number(new URL(url).port || 80)]),
  );
  let isClosed = false;
  // One change after the other: two at once would want the same ports.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    last = last.then(change, change);
    return last;
  };
  return {
    urls,
    requests: (name) => serviceOf(name).requests(),
    fail: (name, fault) => serviceOf(name).fail(fault),
    reset: () =>
      inTurn(async () => {
        if (isClosed) throw new WorldError('The world is closed.');
        await close();
        await start(places);
      }),
    close: () =>
      inTurn(() => {
        isClosed = true;
        return close();
      }),
  };
}
