import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** A server that processes reach each by a way of their own. */
export type Way = 'database' | 'forge' | 'model';

export const ways: readonly Way[] = ['database', 'forge', 'model'];

/** Where a process of a cluster lives: what starts it there, and how it reaches the servers. */
export interface Host {
  /** Before the program and its arguments. */
  readonly launcher: readonly string[];
  /** Address that each way begins at, as seen from there. */
  readonly addresses: Readonly<Record<Way, string>>;
  /** Takes the links of the ways down, or up again; null where there are none. */
  readonly unplug: ((ways: readonly Way[], isOut: boolean) => Promise<void>) | null;
  readonly close: () => Promise<void>;
}

/** Makes hosts: on this one, or in networks of their own. */
export type OpenHost = () => Promise<Host>;

const here = '127.0.0.1';

/** A process beside the others, which is cut off by proxies alone. */
export const openLoopback: OpenHost = async () => ({
  launcher: [],
  addresses: { database: here, forge: here, model: here },
  unplug: null,
  close: async () => {},
});

const run = promisify(execFile);
const inside = 'CLUSTER_NETWORK';

/** True in a process that was begun again in a network of its own, where it may make more of them. */
export const isInOwnNetwork = (): boolean => process.env[inside] !== undefined;

const ownNetwork = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'] as const;

/** Why this machine has no networks for processes; null where it has. */
export async function whyNoNetworks(): Promise<string | null> {
  const [program, ...rest] = ownNetwork;
  const pair = 'ip link add near type veth peer name far';
  return run(program, [...rest, 'sh', '-c', pair]).then(
    () => null,
    (error: unknown) =>
      `NOT SHOWN HERE: network namespaces; processes are cut off by proxies alone (${String(error).trim().split('\n').at(-1)})`,
  );
}

/** Begins this program again, in a network without any way out. @returns its exit code */
export async function beginInOwnNetwork(): Promise<number> {
  const [program, ...rest] = ownNetwork;
  const child = spawn(program, [...rest, process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, [inside]: 'own' },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

let links = 0;

/** A host with a network of its own, and a cable to each server. What is sent while one is out arrives late, or never. */
export const openNetwork: OpenHost = async () => {
  const holder = await holdNetwork();
  const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`];
  const cables = ways.map((way) => {
    links += 1;
    const base = links * 4;
    const toAddress = (last: number) => `10.${64 + (base >> 16)}.${(base >> 8) & 255}.${(base & 255) + last}`;
    return {
      way,
      near: `n${process.pid}x${links}`,
      far: `f${process.pid}x${links}`,
      server: toAddress(1),
      client: toAddress(2),
    };
  });
  const outside = cables.map(
    ({ near, far, server }) =>
      `ip link add ${near} type veth peer name ${far} netns ${holder.pid} && ip addr add ${server}/30 dev ${near} && ip link set ${near} up`,
  );
  const within = cables.map(
    ({ far, client }) => `ip addr add ${client}/30 dev ${far} && ip link set ${far} up`,
  );
  await run('sh', ['-c', outside.join(' && ')]);
  await run('nsenter', [...enter.slice(1), 'sh', '-c', ['ip link set lo up', ...within].join(' && ')]);
  const addressOf = (way: Way) => cables.find((cable) => cable.way === way)?.server ?? here;
  return {
    launcher: enter,
    addresses: { database: addressOf('database'), forge: addressOf('forge'), model: addressOf('model') },
    unplug: async (out, isOut) => {
      for (const { way, near } of cables)
        if (out.includes(way)) await run('ip', ['link', 'set', near, isOut ? 'down' : 'up']);
    },
    close: async () => {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    },
  };
};

/** A network lasts as long as a process in it. */
async function holdNetwork(): Promise<ChildProcess> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  return holder;
}
