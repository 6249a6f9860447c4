import { createRandom } from '../fleet/random.ts';
import type { Conversation, TimedAct } from './conversation.ts';

const people = ['ada', 'bo', 'chen', 'dana'];
const openings = ['Please', 'Could you', 'I would rather', 'Before you go on:', 'お願いします:', 'Again:'];
const wishes = [
  'rename the field',
  'keep the old name',
  'use euros',
  'add a test',
  'leave the tests alone',
  '税込みにする',
];

/** Scripts a conversation by a seed: comments, edits and deletions at any turn, several at one, some during the last call. */
export function scriptConversation(seed: number): Conversation {
  const random = createRandom(seed);
  for (let skipped = 0; skipped < 8; skipped += 1) random();
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const turns = 4 + Math.floor(random() * 4);
  const times = Array.from({ length: 4 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * turns));
  const standing: string[] = [];
  const acts = times
    .sort((a, b) => a - b)
    .map((turn, index): TimedAct => {
      // The number makes each text one that stands in no other.
      const text = `${pick(openings)} ${pick(wishes)} (point ${index} of ${seed}).`;
      const chance = random();
      if (standing.length > 0 && chance < 0.25) return { do: 'edit', turn, id: pick(standing), text };
      if (standing.length > 0 && chance < 0.4) {
        const id = pick(standing);
        standing.splice(standing.indexOf(id), 1);
        return { do: 'delete', turn, id };
      }
      standing.push(`comment-${index}`);
      return { do: 'say', turn, id: `comment-${index}`, by: pick(people), text };
    });
  return { name: `scripted, seed ${seed}`, task: `Do what is asked for (task ${seed}).`, turns, acts };
}
