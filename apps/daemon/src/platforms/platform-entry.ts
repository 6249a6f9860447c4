import type { WebhookOrigin } from '@agent/platforms/webhooks';
import type { z } from 'zod';
import type { RepositoryProbe } from '../doctor/repository-probe.ts';
import type { ConnectedPlatform, ConnectOptions } from './connect-options.ts';
import type { BuiltInSection } from './section.ts';

/** Everything that the daemon knows of one built-in platform. */
export interface PlatformEntry<Section extends BuiltInSection> {
  /** Its section of the configuration. */
  readonly schema: z.ZodType<Section>;
  /** Repositories or projects that tasks come from, as `group/name`. */
  readonly listPlaces: (section: Section) => readonly string[];
  /** Connects and finds out who we are. */
  readonly connect: (section: Section, options: ConnectOptions) => Promise<ConnectedPlatform>;
  readonly webhooks: {
    /** Key of its section in `webhooks` that names the variable with the secret. */
    readonly key: string;
    /** The variable, where the configuration names none. */
    readonly variable: string;
    readonly createOrigin: (secret: string) => Promise<WebhookOrigin>;
  };
  readonly doctor: {
    /** Page on which a token is made, for an API at this address. */
    readonly tokenPage: (baseUrl: string) => string;
    readonly api: (
      section: Section,
      token: string,
    ) => {
      readonly base: string;
      readonly headers: Readonly<Record<string, string>>;
      /** User name that goes with the token in git's login. */
      readonly username: string;
    };
    /** Finds out what the token may do in one of the places, without changing anything. */
    readonly check: (probe: RepositoryProbe, section: Section) => Promise<void>;
  };
  readonly init: {
    /** Key of the list of places in its section. */
    readonly list: string;
    readonly baseUrl: string;
    readonly tokenVariable: string;
  };
}
