import { describe, expect, it } from 'vitest';
import { type Corpus, readCorpus, scoreCorpus } from './corpus.ts';

const corpus: Corpus = {
  hidden: [],
  attacks: [
    { name: 'a comment', text: 'a<!-- b -->c', hidden: ['b'], shown: ['a', 'c'] },
    { name: 'a title', text: '<i title="b">c</i>', hidden: ['b'], shown: ['c'] },
  ],
  honest: [
    { script: 'Latin', text: 'abc' },
    { script: 'Emoji', text: '👍' },
  ],
};

describe('scoreCorpus', () => {
  it('counts an attack as disarmed when what is hidden is gone and what is shown is left', () => {
    const score = scoreCorpus(corpus, (text) => text.replace(/<!--.*?-->/g, ''));
    expect(score).toMatchObject({ disarmed: ['a comment'], missed: ['a title'], changed: [] });
  });

  it('gives nothing for taking out everything', () => {
    const score = scoreCorpus(corpus, () => '');
    expect(score).toMatchObject({ disarmed: [], unchanged: [] });
  });
});

describe('readCorpus', () => {
  it('finds the test data of the package', async () => {
    const { attacks, honest } = await readCorpus();
    expect(attacks.length).toBeGreaterThan(60);
    expect(honest.length).toBeGreaterThan(100);
  });
});
