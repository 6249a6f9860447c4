import { z } from 'zod';
import type { ListenOptions } from '../shared/listen.ts';
import { discordWorldSchema, startDiscordService } from './discord-service.ts';
import { gitHubWorldSchema, startGitHubService } from './github-service.ts';
import { gitLabWorldSchema, startGitLabService } from './gitlab-service.ts';
import { modelWorldSchema, startModelService } from './model-service.ts';
import { parseStrictly, type Service, WorldError } from './service.ts';

const starters = {
  github: startGitHubService,
  gitlab: startGitLabService,
  discord: startDiscordService,
  model: startModelService,
} satisfies Record<string, (data: unknown, place: ListenOptions) => Promise<Service>>;

/** Name of a simulator that can be a part of a world. */
export type ServiceName = keyof typeof starters;

/** All of them, in the order in which they start. */
export const serviceNames = Object.keys(starters) as readonly ServiceName[];

const worldSchema = z.strictObject({
  github: gitHubWorldSchema.optional(),
  gitlab: gitLabWorldSchema.optional(),
  discord: discordWorldSchema.optional(),
  model: modelWorldSchema.optional(),
});

/** Description of a world, as a file holds it: a section for each simulator that is to start. */
export type WorldSeed = z.input<typeof worldSchema>;

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
  /** Puts everything back to the seed, at the same addresses; connections break. */
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
  parseStrictly(worldSchema, seed, 'The world makes no sense:');
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
        services.set(name, await starters[name](seed[name], { host, port: places[name] }));
      }
    } catch (error) {
      await close();
      throw error;
    }
  };
  const serviceOf = (name: ServiceName): Service => {
    const service = services.get(name);
    if (service !== undefined) return service;
    throw new WorldError(`${name} does not run here; what runs: ${wanted.join(', ')}`);
  };
  await start(ports);
  const urls = () => Object.fromEntries([...services].map(([name, { url }]) => [name, url]));
  const places = Object.fromEntries(
    [...services].map(([name, { url }]) => [name, Number(new URL(url).port)]),
  );
  return {
    urls,
    requests: (name) => serviceOf(name).requests(),
    fail: (name, fault) => serviceOf(name).fail(fault),
    reset: async () => {
      await close();
      await start(places);
    },
    close,
  };
}
