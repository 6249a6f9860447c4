import { describe, expect, it } from 'vitest';
import { findPlaceMistake, isPlacePattern, parsePlacePattern } from './place-pattern.ts';

const gitHub = { noun: 'repository', subgroups: false };
const gitLab = { noun: 'project', subgroups: true };

describe('a pattern of places [NX-369]', () => {
  it.each([
    ['acme/*', ['acme/a', 'ACME/B'], ['acme/a/b', 'acme2/a', 'acme/', 'other/a']],
    ['acme/web-*', ['acme/web-shop', 'Acme/WEB-'], ['acme/web', 'acme/a-web-b']],
    ['acme/*-api-*', ['acme/x-api-y', 'acme/-api-'], ['acme/api', 'acme/x-api']],
    ['acme/a*a', ['acme/aa', 'acme/aba'], ['acme/a']],
    ['acme/tool', ['acme/tool', 'Acme/Tool'], ['acme/tools', 'x/acme/tool']],
    ['group/sub/*', ['group/sub/a'], ['group/a', 'group/sub/deep/a']],
    ['group/**', ['group/a', 'group/sub/deep/a'], ['groups/a', 'other/group/a']],
    ['group/**/web-*', ['group/web-a', 'group/sub/deep/web-b'], ['group/sub/api']],
  ])('%s names what it says, whatever the case, of its owner alone', (pattern, named, others) => {
    const { matches } = parsePlacePattern(pattern);
    expect(named.filter(matches)).toEqual(named);
    expect(others.filter(matches)).toEqual([]);
  });

  it('says whose places have to be listed, and how deep', () => {
    expect(parsePlacePattern('group/sub/**')).toMatchObject({ owner: 'group/sub', subgroups: true });
    expect(parsePlacePattern('group/**/web-*')).toMatchObject({ owner: 'group', subgroups: true });
    expect(parsePlacePattern('acme/web-*')).toMatchObject({ owner: 'acme', subgroups: false });
    expect(['acme/*', 'acme/tool'].map(isPlacePattern)).toEqual([true, false]);
  });

  it.each([
    [gitHub, '*/*', 'names the repository of every owner: write whose, as owner/*.'],
    [gitHub, '**', 'names every owner: write whose, as owner/*.'],
    [gitHub, '*', 'names every owner'],
    [gitHub, 'acme/', 'ends with a slash: write acme/* for all in it, or acme/NAME for one.'],
    [gitHub, 'acme/my tool', 'has spaces: take them out.'],
    [gitHub, 'acme/**', 'there are no subgroups here: write acme/*.'],
    [gitHub, 'acme', 'must look like owner/repository, without a host'],
    [gitHub, 'https://github.com/acme/shop', 'must look like owner/repository, without a host'],
    [gitHub, 'acme/a/b', 'must look like owner/repository'],
    [gitHub, 'acme/..', 'must look like owner/repository'],
    [gitLab, '../*', 'must look like group/project'],
    [gitLab, 'group/*/web', 'has a star in the name of a group'],
    [gitLab, 'group/a**', 'has ** within a name'],
    [gitLab, '*/web', 'names the project of every group: write whose, as group/*.'],
    [gitLab, 'group', 'must look like group/project, without a host'],
  ])('is refused where it cannot be right, with what to write: %o %s', (language, entry, said) => {
    const mistake = findPlaceMistake(entry, language);
    expect(mistake).toContain(JSON.stringify(entry));
    expect(mistake).toContain(said);
  });

  it.each(['acme/*', 'acme/web-*', 'acme/shop', 'Acme.Inc/sh_op-1'])('%s is right everywhere', (entry) => {
    expect(findPlaceMistake(entry, gitHub)).toBeNull();
    expect(findPlaceMistake(entry, gitLab)).toBeNull();
  });

  it.each(['group/**', 'group/sub/*', 'group/sub/project', 'group/**/web-*'])(
    '%s is right on GitLab',
    (entry) => {
      expect(findPlaceMistake(entry, gitLab)).toBeNull();
    },
  );
});
