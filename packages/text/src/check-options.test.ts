import { describe, expect, it } from 'vitest';
import {
  checkOptions,
  checkValue,
  type Expectations,
  expected,
  expectList,
  expectNullable,
  expectNumber,
  expectOneOf,
  expectOptions,
  expectPort,
} from './check-options.ts';

const expectations: Expectations = {
  enabled: expected.flag,
  account: expected.id,
  maxTokens: expectNullable(expectNumber(1, { isWhole: true })),
  share: expectNumber(0, { most: 1 }),
  mode: expectOneOf('fast', 'slow'),
  store: expectPort('read', 'write'),
  names: expectList(expected.text),
  token: { ...expected.text, isSecret: true },
  rules: expectOptions({ inheritPlans: expected.flag }),
};
const check = (options: unknown, required: readonly string[] = []) => {
  return () => checkOptions('Options', options, expectations, required);
};

describe('checkOptions', () => {
  it.each<[object, string]>([
    [{ enabled: 'no' }, 'Options.enabled must be true or false; it is "no".'],
    [{ account: 1.5 }, 'Options.account must be a whole number or a text that is not empty; it is 1.5.'],
    [{ account: ' ' }, 'Options.account must be a whole number or a text that is not empty; it is " ".'],
    [{ maxTokens: '4000' }, 'Options.maxTokens must be null or a whole number of at least 1; it is "4000".'],
    [{ maxTokens: 0 }, 'Options.maxTokens must be null or a whole number of at least 1; it is 0.'],
    [{ maxTokens: Number.NaN }, 'Options.maxTokens must be null or a whole number of at least 1; it is NaN.'],
    [
      { maxTokens: Number.POSITIVE_INFINITY },
      'Options.maxTokens must be null or a whole number of at least 1; it is Infinity.',
    ],
    [{ share: 1.1 }, 'Options.share must be a number from 0 to 1; it is 1.1.'],
    [{ mode: 'quick' }, 'Options.mode must be "fast" or "slow"; it is "quick".'],
    [
      { store: { read() {} } },
      'Options.store must be an object with the functions read, write; it is an object (read).',
    ],
    [{ names: 'a' }, 'Options.names must be an array, each entry a text that is not empty; it is "a".'],
    [
      { names: ['a', 7] },
      'Options.names must be an array, each entry a text that is not empty; it is an array.',
    ],
    [{ rules: [] }, 'Options.rules must be an object of inheritPlans; it is an empty array.'],
    [{ rules: { inheritPlans: 1 } }, 'Options.rules.inheritPlans must be true or false; it is 1.'],
    [{ rules: { inheritPlan: true } }, 'Options.rules.inheritPlan is unknown. Did you mean inheritPlans?'],
  ])('refuses %o and says what to write', (options, message) => {
    expect(check(options)).toThrow(new TypeError(message));
  });

  it.each([
    ['max_tokens', 'maxTokens'],
    ['maxToken', 'maxTokens'],
    ['maxTokns', 'maxTokens'],
    ['Enabled', 'enabled'],
    ['acount', 'account'],
    ['issue_account', 'account'],
    ['nameList', 'nameList', null],
  ])('names what %s was probably meant to be', (name, meant, isMeant: null | undefined = undefined) => {
    const said = isMeant === null ? ' Known are ' : ` Did you mean ${meant}?`;
    expect(check({ [name]: 1 })).toThrow(`Options.${name} is unknown.${said}`);
  });

  it.each(['toString', '__proto__x', 'constructor'])('knows no option %s of all objects', (name) => {
    expect(check({ [name]: true })).toThrow(`Options.${name} is unknown.`);
  });

  it('shows no value of a secret', () => {
    const secret = `${'ghp'}_${'a1B2'.repeat(9)}`;
    const show = () => checkOptions('Options', { secrets: secret }, { secrets: expected.secrets });
    expect(show).toThrow(
      'Options.secrets must be an array of texts, or a function that returns one; it is a text.',
    );
    expect(check({ token: 7 })).toThrow('it is a number.');
  });

  it('takes undefined for the default, but not for what is required', () => {
    expect(check({ enabled: undefined, maxTokens: null, account: 5 })).not.toThrow();
    expect(check({ enabled: undefined }, ['enabled'])).toThrow(
      'Options.enabled must be true or false; it is undefined.',
    );
  });

  it.each([null, undefined, 'fast', [], 5])('refuses %o in place of options', (options) => {
    expect(check(options)).toThrow(TypeError);
  });
});

describe('checkValue', () => {
  it('names the argument', () => {
    expect(() => checkValue('The thread', 5, expected.text)).toThrow(
      new TypeError('The thread must be a text that is not empty; it is 5.'),
    );
  });
});
