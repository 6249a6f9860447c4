import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@agent/text';
import type { NetworkRule, RegistryEntry } from '../config/environment-schemas.ts';
import { homePrefix } from '../machine/directories.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { BridgeRoute } from './bridge.ts';
import type { PublicHostOptions } from './host-rules.ts';
import { openNetworkProxy } from './network-proxy.ts';
import { createRegistryGateway } from './registry-gateway.ts';

/** The way from commands to the network. */
export interface CommandNetwork {
  /** Describes it to the model, after a space; empty where there is nothing to say. */
  readonly note: string;
  /** Directory of sockets that lead out of the sandbox; null for none. */
  readonly sockets: string | null;
  /** Ways from ports inside the sandbox to these sockets. */
  readonly routes: readonly BridgeRoute[];
  /** Variables by which programs find it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Options of `openCommandNetwork`. */
export interface CommandNetworkOptions extends PublicHostOptions {
  readonly sandbox: CommandSandbox;
  /** `on`: every public host. Without a sandbox, commands use the network of the machine whatever the rule is. */
  readonly rule: NetworkRule;
  /** Ports that `on` opens. Default 443 and 80. */
  readonly ports?: readonly number[] | undefined;
  readonly registries: readonly RegistryEntry[];
  /** The daemon's own environment: secrets of registries are taken from it, and stay outside of the sandbox. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Private directory outside the worktree. */
  readonly directory: string;
  readonly logger?: Pick<Logger, 'info' | 'warn'> | undefined;
}

/** Ports that `network: on` opens. */
const usualPorts: readonly number[] = [443, 80];

/** Ports inside the sandbox: that of the proxy, then those of the registries in their order. */
const firstPort = 47_100;

/** Longest path of a socket that every system takes, in bytes. */
const maxSocketPath = 100;

type Place = { readonly name: 'proxy' | RegistryEntry; readonly server: Server };

/**
 * Opens what a rule allows commands to reach: a filtering proxy, and a gateway for each registry that adds its login. In a sandbox,
 * commands have no other network, and reach both through Unix sockets. Without a sandbox they are ports of this machine, and commands can
 * bypass the proxy.
 *
 * @throws WorkspaceError `invalid` when a registry's secret is not set
 */
export async function openCommandNetwork(options: CommandNetworkOptions): Promise<CommandNetwork> {
  const { sandbox, rule, ports: openPorts = usualPorts } = options;
  const isOpen = sandbox.kind === 'none';
  const isFiltered = rule !== 'off' && !(isOpen && rule === 'on');
  const proxy = isFiltered ? await openNetworkProxy({ ...options, rule, ports: openPorts }) : null;
  const places = listPlaces(options, proxy?.accept ?? null);
  if (isOpen && proxy !== null) options.logger?.warn({}, openNetwork);
  const note = toNote(options);
  const connections = new Set<Socket>();
  for (const { server } of places)
    server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
  const closeAll = async () => {
    await proxy?.close();
    for (const socket of connections) socket.destroy();
    await Promise.all(places.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  };
  if (isOpen || places.length === 0) {
    const ports: number[] = [];
    for (const { server } of places) ports.push(await listenOnLoopback(server));
    return {
      ...{ note, sockets: null, routes: [] },
      variables: toVariables(places, ports),
      close: closeAll,
    };
  }
  const sockets = await makeDirectory(options.directory);
  const routes = places.map((_, at): BridgeRoute => [firstPort + at, join(sockets, String(at))]);
  for (const [at, { server }] of places.entries()) await listen(server, { path: join(sockets, String(at)) });
  return {
    ...{ note, sockets, routes },
    variables: toVariables(
      places,
      routes.map((_, at) => firstPort + at),
    ),
    close: async () => {
      await closeAll();
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

function toNote({ sandbox, rule, registries, ports = usualPorts }: CommandNetworkOptions): string {
  const names = registries.map(({ name }) => `$AGENT_REGISTRY_${name.toUpperCase()}`).join(', ');
  const served = names === '' ? '' : ` Package registries can be reached at ${names}.`;
  if (typeof rule !== 'string') return ` Only these hosts can be reached: ${rule.allow.join(', ')}.${served}`;
  if (sandbox.kind === 'none') return served;
  if (rule === 'off') return ` There is no network.${served}`;
  return ` Public hosts can be reached through the proxy in $HTTPS_PROXY, at ports ${ports.join(' and ')}.${served}`;
}

const openNetwork = 'cannot enforce `network.allow` without a sandbox: commands can bypass the proxy';

function listPlaces(
  { registries, environment, logger }: CommandNetworkOptions,
  accept: ((socket: Socket) => void) | null,
): readonly Place[] {
  const proxies: Place[] = accept === null ? [] : [{ name: 'proxy', server: createServer(accept) }];
  const gateways = registries.map((entry): Place => {
    const registry = { ...entry, authorization: authorizationOf(entry, environment) };
    return { name: entry, server: createRegistryGateway({ registry, logger }) as HttpServer };
  });
  return [...proxies, ...gateways];
}

function authorizationOf(
  { name, token_env: variable, username }: RegistryEntry,
  environment: CommandNetworkOptions['environment'],
): string | null {
  if (variable === null) return null;
  const secret = environment[variable]?.trim() ?? '';
  if (secret === '')
    throw new WorkspaceError(
      `The registry ${name} needs a secret in ${variable}, which is not set. Set it in the environment of the daemon, or leave token_env out.`,
      { code: 'invalid' },
    );
  if (username === null) return `Bearer ${secret}`;
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
}

/** Variables that each kind of tool reads, and the one that every registry has. */
function toVariables(places: readonly Place[], ports: readonly number[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [at, { name: place }] of places.entries()) {
    const origin = `http://127.0.0.1:${ports[at]}`;
    if (place === 'proxy') {
      for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) variables[name] = origin;
      for (const name of ['NO_PROXY', 'no_proxy']) variables[name] = 'localhost,127.0.0.1,::1';
      variables.NODE_USE_ENV_PROXY = '1';
      continue;
    }
    const { pathname } = new URL(place.url);
    const url = `${origin}${pathname}`;
    variables[`AGENT_REGISTRY_${place.name.toUpperCase()}`] = url;
    if (place.kind === 'npm') {
      variables.npm_config_registry = url;
      // Lock files hold the registry's own address: it is asked for here as well.
      variables.npm_config_replace_registry_host = 'always';
    }
    if (place.kind === 'pypi') Object.assign(variables, { PIP_INDEX_URL: url, UV_INDEX_URL: url });
  }
  return variables;
}

async function makeDirectory(parent: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(parent, homePrefix)));
  if (Buffer.byteLength(path) + 4 <= maxSocketPath) return path;
  await rm(path, { recursive: true });
  return realpath(await mkdtemp(join(tmpdir(), homePrefix)));
}

function listen(
  server: Server,
  at: { readonly path: string } | { readonly port: number; readonly host: string },
) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function listenOnLoopback(server: Server): Promise<number> {
  await listen(server, { port: 0, host: '127.0.0.1' });
  return (server.address() as AddressInfo).port;
}
