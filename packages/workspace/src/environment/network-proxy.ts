import type { lookup } from 'node:dns';
import { Agent, type Server as HttpServer } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Logger } from '@agent/text';
import type { NetworkRule } from '../config/environment-schemas.ts';
import { createPublicLookup, isListed, isPrivateAddress, type ResolveHost } from './host-rules.ts';

export interface NetworkProxyOptions {
  readonly rule: Exclude<NetworkRule, string>;
  /** Resolves names, outside of any sandbox. Default the system's way. */
  readonly resolve?: ResolveHost | undefined;
  readonly logger?: Pick<Logger, 'info'> | undefined;
}

/** A filtering proxy that listens nowhere: connections are handed to it. */
export interface NetworkProxy {
  readonly accept: (socket: Socket) => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens a proxy that lets through the places which a rule names, and no others: TLS as it is, and plain HTTP. A name that has a
 * private address is not connected to, but for those that are allowed it.
 */
export async function openNetworkProxy(options: NetworkProxyOptions): Promise<NetworkProxy> {
  // Loaded for the runs that need it alone.
  const { RequestError, Server } = await import('proxy-chain');
  const { rule, logger } = options;
  const httpAgent = new Agent();
  // Sockets call it as a function and nothing else; the type also has what promisifies it.
  const publicLookup = createPublicLookup(options.resolve) as typeof lookup;
  const told = new Set<string>();
  const refuse = (place: string, why: string): never => {
    if (!told.has(place)) logger?.info({ place, why }, 'blocked network access of command');
    if (told.size < 1_000) told.add(place);
    throw new RequestError(`${place} cannot be reached from here: ${why}.`, 403);
  };
  const server = new Server({
    // Used in a line of its log alone; nothing listens there.
    port: 0,
    prepareRequestFunction: ({ hostname, port }) => {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      const place = `${hostname}:${port}`;
      if (!isListed(rule.allow, { host, port })) refuse(place, 'it is not an allowed host');
      const mayBePrivate = isListed(rule.private, { host, port });
      if (isIP(host) !== 0 && isPrivateAddress(host) && !mayBePrivate)
        refuse(place, 'its address is private');
      return { httpAgent, ...(mayBePrivate ? {} : { dnsLookup: publicLookup }) };
    },
  });
  return {
    accept: (socket) => {
      // A Unix socket has no address, and without one it would be taken for closed.
      if (socket.remoteAddress === undefined)
        Object.defineProperty(socket, 'remoteAddress', { value: 'unix' });
      (server.server as HttpServer).emit('connection', socket);
    },
    close: async () => {
      for (const id of server.getConnectionIds()) server.closeConnection(Number(id));
      httpAgent.destroy();
    },
  };
}
