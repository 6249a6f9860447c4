import type { lookup } from 'node:dns';
import { Agent, type Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@agent/text';
import type { NetworkRule } from '../config/environment-schemas.ts';
import { answerLookup, isListed, type PublicHostOptions, resolvePublicHost } from './host-rules.ts';

export interface NetworkProxyOptions extends PublicHostOptions {
  /** `on`: every public host, at `ports`. */
  readonly rule: Exclude<NetworkRule, 'off'>;
  readonly ports: readonly number[];
  readonly logger?: Pick<Logger, 'info'> | undefined;
}

/** A filtering proxy that listens nowhere: connections are passed to it. */
export interface NetworkProxy {
  readonly accept: (socket: Socket) => void;
  readonly close: () => Promise<void>;
}

/** Header of an answer with which the proxy refuses a request; its body is the reason. @see RFC 9209 */
const refused = { 'proxy-status': 'agent; error=http_request_denied' };

/**
 * Opens a proxy for plain HTTP and for tunnels (CONNECT), which it does not decrypt. It resolves names itself, refuses private
 * addresses unless the rule lists the host as private, and connects to the address that it has checked.
 */
export async function openNetworkProxy(options: NetworkProxyOptions): Promise<NetworkProxy> {
  // Loaded only for runs that need it.
  const { RequestError, Server } = await import('proxy-chain');
  const { rule, ports, logger } = options;
  const httpAgent = new Agent();
  const logged = new Set<string>();
  const refuse = (place: string, why: string): never => {
    if (!logged.has(place)) logger?.info({ place, why }, 'blocked network access of command');
    if (logged.size < 1_000) logged.add(place);
    throw new RequestError(`${place} cannot be reached from here: ${why}.`, 403, refused);
  };
  const server = new Server({
    // Appears in its log only: it does not listen.
    port: 0,
    prepareRequestFunction: async ({ hostname, port }) => {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      const place = `${hostname}:${port}`;
      if (rule === 'on') {
        if (!ports.includes(port)) refuse(place, `only ports ${ports.join(' and ')} are allowed`);
      } else if (!isListed(rule.allow, { host, port })) refuse(place, 'it is not an allowed host');
      if (rule !== 'on' && isListed(rule.private, { host, port })) return { httpAgent };
      const addresses = await resolvePublicHost(host, options).catch((error: NodeJS.ErrnoException) =>
        refuse(place, `its name could not be resolved (${error.code ?? error.message})`),
      );
      if (addresses.length === 0) refuse(place, 'its address is private');
      // Sockets only call it; the type also has what promisifies it.
      return { httpAgent, dnsLookup: answerLookup(addresses) as typeof lookup };
    },
  });
  return {
    accept: (socket) => {
      // A Unix socket has no address, and would count as closed without it.
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
