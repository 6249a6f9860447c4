import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A shop on loopback: what is ordered there stays ordered. */
export interface ShopServer {
  readonly url: string;
  readonly orders: readonly string[];
  readonly close: () => void;
}

/** Starts it. `onOrder` is waited for after an order was taken and before that is said. */
export async function startShop(onOrder: (item: string) => Promise<void>): Promise<ShopServer> {
  const orders: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const item = await text(request);
      orders.push(item);
      await onOrder(item);
      response.end(`${item} is ordered`);
    } else response.end(`ordered so far: ${orders.join(', ')}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    orders,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
