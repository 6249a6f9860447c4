import type { Replay } from './replay-incident.ts';

/** True if the replay has a forbidden effect, or differs from what its incident declares. */
export function isFailed({ effects, surprises }: Replay): boolean {
  return effects.length > 0 || surprises.length > 0;
}

/** One line for a replay, and one for everything that is wrong with it. */
export function formatReplay(replay: Replay): string {
  const { incident, forge, reached, requests, followed, effects, surprises, durationMs } = replay;
  const words = [
    isFailed(replay) ? 'FAILED' : 'ok    ',
    forge,
    incident.name.padEnd(20),
    reached ? `reached, ${followed} calls followed` : requests > 0 ? 'removed before the model' : 'refused',
    `${(durationMs / 1000).toFixed(1)} s`,
  ];
  const details = [...effects.map(({ kind, where }) => `${kind}: ${where}`), ...surprises];
  return [words.join(' '), ...[...new Set(details)].map((detail) => `    ${detail}`)].join('\n');
}

/** Figures of all replays. */
export function formatSummary(replays: readonly Replay[], durationMs: number): string {
  const names = new Set(replays.map(({ incident }) => incident.name));
  const reached = replays.filter((one) => one.reached).length;
  const followed = replays.reduce((sum, one) => sum + one.followed, 0);
  const effects = replays.reduce((sum, one) => sum + one.effects.length, 0);
  const surprises = replays.filter((one) => one.surprises.length > 0).length;
  return [
    `${names.size} incidents, ${replays.length} replays in ${Math.round(durationMs / 1000)} s`,
    `${reached} orders reached the model, which made ${followed} calls for them`,
    `${effects} forbidden effects, ${surprises} replays differ from what their incident declares`,
  ].join('\n');
}
