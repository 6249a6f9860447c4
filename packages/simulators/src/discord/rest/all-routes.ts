import { accountRoutes } from './account-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { createMessage } from './create-message.ts';
import { messageRoutes } from './message-routes.ts';
import type { RouteHandler } from './route.ts';
import { threadRoutes } from './thread-routes.ts';

// Those with a fixed word stand before those that take any.
const routes = {
  ...accountRoutes,
  ...channelRoutes,
  'POST /channels/:channel/messages': createMessage,
  ...messageRoutes,
  ...threadRoutes,
} satisfies Record<string, RouteHandler>;

/** A request that this Discord knows, e.g. `POST /channels/:channel/messages`. */
export type DiscordRoute = keyof typeof routes;

/** All requests that this Discord knows. */
export const discordRoutes = Object.keys(routes) as [DiscordRoute, ...DiscordRoute[]];

export interface FoundRoute {
  readonly route: DiscordRoute;
  readonly parameters: Readonly<Record<string, string>>;
  readonly handler: RouteHandler;
}

const patterns = Object.entries(routes).map(([route, handler]) => ({
  route: route as DiscordRoute,
  handler: handler as RouteHandler,
  pattern: new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/** Null: Discord has no such address, or this one does not. */
export function findRoute(method: string, path: string): FoundRoute | null {
  for (const { route, handler, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`);
    if (match !== null) return { route, handler, parameters: { ...match.groups } };
  }
  return null;
}
