import { expect, it } from 'vitest';
import { narrowSbom } from './narrow-sbom.ts';

const component = (name: string, more = {}) => ({
  'bom-ref': `ref:${name}`,
  name,
  version: '1.0.0',
  ...more,
});
const development = { scope: 'excluded', properties: [{ name: 'cdx:npm:package:development' }] };
const sbom = {
  metadata: { component: component('app') },
  components: [
    component('addon'),
    component('below-addon'),
    component('bundled', { group: '@acme', ...development }),
    component('test-tool', development),
    component('below-tool', development),
  ],
  dependencies: [
    { ref: 'ref:app', dependsOn: ['ref:addon', 'ref:bundled', 'ref:test-tool'] },
    { ref: 'ref:addon', dependsOn: ['ref:below-addon'] },
    { ref: 'ref:below-addon', dependsOn: ['ref:addon'] },
    { ref: 'ref:test-tool', dependsOn: ['ref:below-tool'] },
  ],
};

it('keeps what gave code to the bundle, and what is installed with it, to the last [NX-413]', () => {
  const narrowed = narrowSbom(sbom, { bundled: new Set(['@acme/bundled@1.0.0']), installed: ['addon'] });
  expect(narrowed.components).toEqual([
    { ...component('addon'), properties: [] },
    { ...component('below-addon'), properties: [] },
    { ...component('bundled', { group: '@acme' }), properties: [] },
  ]);
  expect(narrowed.dependencies).toEqual([
    { ref: 'ref:app', dependsOn: ['ref:addon', 'ref:bundled'] },
    { ref: 'ref:addon', dependsOn: ['ref:below-addon'] },
    { ref: 'ref:below-addon', dependsOn: ['ref:addon'] },
  ]);
});

it('does not leave out in silence what it finds in the bundle alone [NX-413]', () => {
  const bundled = new Set(['stranger@2.0.0']);
  expect(() => narrowSbom(sbom, { bundled, installed: [] })).toThrow('lacks stranger@2.0.0');
});
