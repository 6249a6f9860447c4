/**
 * Loaded with `node --import` into a daemon of a cluster: it reaches the servers of the trial by ways of its own, each of which can
 * be broken without the others noticing. What it calls the servers stays the same in all processes. Git goes by its proxy variable.
 */
import { Socket } from 'node:net';

/** Of ports of this machine: host and port that they are reached at. */
const routes = JSON.parse(process.env.CLUSTER_ROUTES ?? '{}') as Readonly<
  Record<string, { readonly host: string; readonly port: number }>
>;

interface Place {
  host?: string | undefined;
  port?: number | string | undefined;
}

const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket;

Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
  const [first] = given;
  // Node hands on what it has already put in order, as one list.
  const place = (Array.isArray(first) ? first[0] : first) as Place | undefined;
  const to = place !== null && typeof place === 'object' ? routes[String(place?.port)] : undefined;
  if (place !== undefined && to !== undefined) Object.assign(place, to);
  return connect.apply(this, given);
} as typeof Socket.prototype.connect;
