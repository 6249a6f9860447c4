/** Part of the first answer, so that no reader takes the script for a model. */
export const tripNotice = '(A script plays the model. It knows only what its input contains.)';

/** What people write, in this order. */
export const trip = {
  mention: 'Plan a Saturday in Kyoto in three lines.',
  followUp: 'Make the second line more concrete.',
  newcomer: 'I come too, but I do not eat meat.',
  afterReload: 'Who comes along, and what does bob not eat?',
  whileAway: 'I bring the tickets.',
  afterRestart: 'What did I ask first, and who brings the tickets?',
} as const;

/**
 * Plays the model: answers the last line of a transcript from what stands above it. Where that is missing it says so,
 * which is how one sees that history arrives.
 */
export function planTrip(transcript: string): string {
  const question = transcript.split('\n').at(-1) ?? '';
  const asks = (text: string): boolean => question.endsWith(text);
  if (asks(trip.mention)) {
    return `1. Morning: up the hill of Fushimi Inari.\n2. Noon: lunch in Gion.\n3. Afternoon: the moss garden.\n${tripNotice}`;
  }
  if (asks(trip.followUp))
    return `"${find(transcript, /2\. (.+)/)}" becomes: soba at twelve by the Shirakawa.`;
  if (asks(trip.newcomer)) return `Then it is ${listPeople(transcript)}, and the soba comes with vegetables.`;
  if (asks(trip.afterReload)) {
    return `${listPeople(transcript)} come along; bob does not eat ${find(transcript, /user: bob: .*not eat (\w+)/)}.`;
  }
  if (asks(trip.whileAway)) return "Good, then we don't have to queue.";
  if (asks(trip.afterRestart)) {
    const first = find(transcript, /user: \w+: (.+)/);
    return `First you asked: "${first}" ${find(transcript, /user: (\w+): I bring the tickets/)} brings the tickets.`;
  }
  return 'I have no line for that in my script.';
}

function find(transcript: string, pattern: RegExp): string {
  return pattern.exec(transcript)?.[1] ?? 'something that my input does not contain';
}

function listPeople(transcript: string): string {
  return [...new Set([...transcript.matchAll(/^user: (\w+): /gm)].map(([, name]) => name))].join(' and ');
}
