import type { Config } from './schema.ts';

/** The host that tasks of a platform are filed under; null for one that the configuration does not name. */
export interface PlatformHosts {
  readonly github: string | null;
  readonly gitlab: string | null;
}

/** As the platforms' adapters say it, without connecting to them. */
export function toPlatformHosts({ github, gitlab }: Config['platforms']): PlatformHosts {
  const toHost = (address: string): string =>
    new URL(address).host.replace(/^api\.github\.com$/, 'github.com');
  return {
    github: github ? toHost(github.base_url) : null,
    gitlab: gitlab ? toHost(gitlab.base_url) : null,
  };
}
