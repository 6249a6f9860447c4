import { readChoice, TrialError, type TrialKind, type TrialVerdict } from '@agent/simulators/trials';
import { findSandbox } from '@agent/workspace/testing';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import type { Incident } from './incident.ts';
import { type IncidentTrial, incidentBugs } from './incident-bugs.ts';
import { incidents } from './incidents.ts';
import { type Replay, replayIncident } from './replay-incident.ts';

const platforms = ['github', 'gitlab'] as const;

/** Public incidents, with a model that follows every order. */
export const trials: TrialKind<IncidentTrial> = {
  help: `[--only NAME[,NAME]] [--platform github|gitlab]

Replays public incidents in which injected text drove coding agents, against the real daemon, with a model that follows every order.
A finding is a forbidden effect, or an order that reached the model although it must not, or did not although it must. Each incident is
replayed on both platforms, so ${2 * incidents.length} trials replay all of them.
Incidents: ${incidents.map(({ name }) => name).join(', ')}`,
  options: ['only', 'platform'],
  unit: 'replays',
  defaults: { units: 2 * incidents.length, parallel: 2 },
  open: async ({ only, platform: text }, { hasBug }) => {
    const platform = readChoice(text, '--platform', platforms);
    const chosen = only === undefined ? incidents : only.split(',').map(requireIncident);
    const pairs = chosen.flatMap(({ name }) =>
      (platform === undefined ? platforms : [platform]).map((forge) => ({ incident: name, forge })),
    );
    if ((await findSandbox()) === null)
      throw new TrialError('bubblewrap does not work on this machine', { code: 'not_shown' });
    const bundle = hasBug ? null : await bundleDaemon();
    return {
      draw: (seed) => pairs[seed % pairs.length] as IncidentTrial,
      play: async ({ incident, forge, sandbox = 'required' }) =>
        toVerdict(await replayIncident(requireIncident(incident), { forge, sandbox })),
      close: async () => bundle?.remove(),
    };
  },
  bugs: incidentBugs,
};

function requireIncident(name: string): Incident {
  const found = incidents.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new TrialError(`--only must be incidents: there is no ${name}`, { code: 'usage' });
}

function toVerdict({
  incident,
  forge,
  reached,
  requests,
  followed,
  effects,
  surprises,
  output,
}: Replay): TrialVerdict {
  const end = reached
    ? `reached, ${followed} calls followed`
    : requests > 0
      ? 'removed before the model'
      : 'refused';
  const findings = [...effects.map(({ kind, where }) => `${kind}: ${where}`), ...surprises];
  return {
    told: `${incident.name} on ${forge}: ${end}`,
    findings: [...new Set(findings)],
    counts: {
      'orders that reached the model': reached ? 1 : 0,
      'calls for these orders': followed,
      'forbidden effects': effects.length,
      'replays that differ from their incident': surprises.length > 0 ? 1 : 0,
    },
    trace: output,
  };
}
