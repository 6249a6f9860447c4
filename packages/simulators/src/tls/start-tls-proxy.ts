import { request as forward, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from './create-self-signed.ts';

/** A server on loopback that speaks https and passes everything on to another one. */
export interface TlsProxy {
  /** `https://localhost:41234` */
  readonly url: string;
  /** Certificate to trust, in PEM. */
  readonly certificate: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts the proxy, with a certificate of its own that no system trusts.
 *
 * @param target address of the server behind it
 */
export async function startTlsProxy(
  target: string,
  { onRequest }: { readonly onRequest?: (request: IncomingMessage) => void } = {},
): Promise<TlsProxy> {
  const { hostname, port } = new URL(target);
  const { key, cert } = createSelfSigned();
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    onRequest?.(incoming);
    const { method, url: path, headers } = incoming;
    const passed = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: cert,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
