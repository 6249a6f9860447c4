import { withoutSync } from '../journal/without-sync.ts';
import type { IndexQuestion } from './ask-process.ts';
import type { FlatnessQuestion } from './measure-flatness.ts';
import { measureStore } from './measure-store.ts';

// A process of its own for each measurement, so that its memory is nobody else's.
process.once('message', (question: IndexQuestion) => {
  void answer(question).then(
    (result) => say({ result }),
    (error: unknown) => say({ error: String(error) }),
  );
});

function say(answer: object): void {
  process.send?.(answer);
  process.disconnect();
}

/** Loaded when it is asked for: it brings a store of its own. */
async function answerFlatness(question: FlatnessQuestion): Promise<unknown> {
  return (await import('./measure-flatness.ts')).measureFlatness(question);
}

function answer(question: IndexQuestion): Promise<unknown> {
  const measure = (): Promise<unknown> =>
    question.type === 'store' ? measureStore(question) : answerFlatness(question);
  return question.synced ? measure() : withoutSync(measure);
}
