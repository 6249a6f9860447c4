import type { APIChannel, APIMessage, APIUser } from 'discord-api-types/v10';
import type { Changes } from '../shared/changes.ts';
import type { HeldRequest } from '../shared/held-request.ts';
import type { SimulatedChannelKind } from './actions/add-channel.ts';
import type { GatewayEvent } from './gateway/gateway-log.ts';
import type { People } from './people/people.ts';
import type { PermissionName } from './permissions/compute-permissions.ts';
import type { DiscordRoute } from './rest/all-routes.ts';
import type { DiscordRequest } from './rest/discord-request.ts';
import type { PrivilegedIntents } from './state/world.ts';

/** Settings of a simulated Discord. */
export interface DiscordSimulatorOptions {
  /** Name of the bot. Default: `suzume`. */
  readonly botName?: string;
  /** Default: `simulated.discord.token`. */
  readonly token?: string;
  /** Intents that are switched on in the developer portal. Default: message content, and nothing else. */
  readonly privileged?: Partial<PrivilegedIntents>;
  /** Milliseconds between two heartbeats. Default: 41,250, as Discord's. */
  readonly heartbeatIntervalMs?: number;
  /** Milliseconds since the epoch. Default: the real time. */
  readonly now?: () => number;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Address of this machine to listen at; default 127.0.0.1, which nobody else reaches. */
  readonly host?: string;
}

/**
 * A Discord on loopback: REST and gateway, version 10, one guild and one bot. What discord.js needs to use it is
 * `rest: { api: simulator.apiUrl }`; it learns the gateway's address there.
 */
export interface DiscordSimulator {
  /** `http://127.0.0.1:41234/api`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly bot: APIUser;
  readonly guildId: string;
  /** The id of the text channel `general`. */
  readonly generalId: string;
  readonly people: People;

  /** Adds a channel to the guild. Gives its id. Default kind: text. */
  readonly addChannel: (name: string, kind?: SimulatedChannelKind) => string;
  /** Adds a role that somebody may be called by. Gives its id. */
  readonly addRole: (name: string) => string;
  /** Takes a permission from the bot: in one channel, or in the whole guild. */
  readonly revoke: (permission: PermissionName, channelId?: string) => void;
  /** Gives it back, or more. */
  readonly grant: (permission: PermissionName, channelId?: string) => void;
  /** Switches intents on and off in the developer portal. */
  readonly setPrivileged: (change: Partial<PrivilegedIntents>) => void;

  readonly channel: (channelId: string) => APIChannel;
  /** The last messages of a channel, oldest first, with their text whatever the bot may read. Default: all. */
  readonly lastMessages: (channelId: string, count?: number) => readonly APIMessage[];
  /** All threads, oldest first. */
  readonly threads: () => readonly APIChannel[];
  /** Waits until something is there: looks now, and after each request and event. */
  readonly until: Changes['until'];

  /** All REST requests, oldest first. */
  readonly requests: readonly DiscordRequest[];
  readonly countRequests: (route: DiscordRoute) => number;
  readonly clearRequests: () => void;
  /** Events at the gateway, oldest first. */
  readonly gatewayLog: readonly GatewayEvent[];

  /** The next requests of a route (default: one) fail, and do nothing unless that is asked for. */
  readonly failNext: (route: DiscordRoute, status: number, options?: FailureOptions) => void;
  /** The next requests of whatever route (default: all) are answered with 401. */
  readonly refuseToken: (times?: number) => void;
  /** The next requests of a route (default: one) come too fast. */
  readonly limitNext: (route: DiscordRoute, options: LimitOptions) => void;
  /** The next request of a route waits: before it is done (default), or done and not answered. */
  readonly holdNext: (route: DiscordRoute, moment?: 'before' | 'after') => HeldRequest;

  /** Ends the gateway's connections with a code; null: without a farewell. Default: 4000. Sessions can be resumed. */
  readonly dropGateway: (code?: number | null) => void;
  /** Asks clients to come back (op 7). */
  readonly askToReconnect: () => void;
  /** Forgets all sessions: who resumes is told to identify anew (op 9). Connections stay. */
  readonly invalidateSessions: () => void;
  /** While true, the gateway answers nothing, not even heartbeats. */
  readonly setGatewayDeaf: (isDeaf: boolean) => void;
  /**
   * The next RESUMEs get no answer, while heartbeats do.
   *
   * @see https://github.com/discordjs/discord.js/pull/8759
   */
  readonly swallowResumes: (count: number) => void;
  /** While true, events reach no session, and a resumed session does not repeat them. */
  readonly setLosingEvents: (isLosing: boolean) => void;

  readonly close: () => Promise<void>;
}

/** Details of a failure on demand. */
export interface FailureOptions {
  /** Discord's own code. Default: 0. */
  readonly code?: number;
  readonly message?: string;
  readonly times?: number;
  /** True: what was wanted happens nevertheless, and only the answer says that it failed. Default: false. */
  readonly isDone?: boolean;
}

/** Details of a limit on demand. */
export interface LimitOptions {
  /** Null: the answer has no `Retry-After`, as in a block by Cloudflare. @see https://github.com/discord/discord-api-docs/issues/1771 */
  readonly retryAfterMs: number | null;
  /** Time in the body. Default: as in the header. @see https://github.com/discord/discord-api-docs/issues/6109 */
  readonly bodyRetryAfterMs?: number | null;
  /** Discord's own code, such as 30046. Default: 0, which the body leaves out. */
  readonly code?: number;
  /** True: all routes are meant. Default: false. */
  readonly global?: boolean;
  /** True: Cloudflare blocks, with a text and without JSON. Default: false. @see https://github.com/discord/discord-api-docs/issues/5385 */
  readonly isCloudflare?: boolean;
  readonly times?: number;
}
