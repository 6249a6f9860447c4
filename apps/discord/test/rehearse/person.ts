import type { DiscordSimulator, MessageAddress } from '@agent/simulators/discord';

/** A user in front of Discord. */
export interface Person {
  /** Does what an instruction asks for. Any other text is ignored. */
  readonly follow: (text: string) => void;
  /** Called before each step; false: the user does not do it. */
  onStep: (step: 'mention' | 'post' | 'edit' | 'remove', number: number) => boolean;
  /** Changes the text of each message before it is written. */
  rewrite: (text: string) => string;
}

/** Creates a user who follows the instructions of a rehearsal in English. */
export function createPerson(discord: DiscordSimulator): Person {
  const { people, generalId } = discord;
  let last: MessageAddress | null = null;
  let count = 0;
  const person: Person = {
    onStep: () => true,
    rewrite: (text) => text,
    follow: (text) => {
      const [first = '', written = ''] = text.split('\n').map((line) => line.trim());
      const second = person.rewrite(written);
      const step = findStep(first);
      if (step === null) return;
      count += 1;
      if (!person.onStep(step, count)) return;
      if (step === 'mention') last = people.say('alice', generalId, second);
      if (step === 'post') last = people.say('alice', discord.threads().at(-1)?.id ?? generalId, second);
      if (step === 'edit' && last !== null) people.edit(last, second);
      if (step === 'remove' && last !== null) people.delete(last);
    },
  };
  return person;
}

function findStep(line: string): 'mention' | 'post' | 'edit' | 'remove' | null {
  if (line.startsWith('→ In #')) return 'mention';
  if (line.startsWith('→ In the thread')) return 'post';
  if (line.startsWith('→ Edit')) return 'edit';
  return line.startsWith('→ Delete') ? 'remove' : null;
}
