import { LoginStore } from '@hyperslab/store/records'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { withoutSecrets } from './share-address.ts'

const { keyValue } = openMemoryEngine()
const SECRETS = Array.from({ length: 50 }, (_, seed) =>
  new LoginStore(keyValue, seededRandom(seed + 1)).newSecret('ann'),
)

it.each([
  ['/s/SECRET/x', '/s/.../x'],
  ['there is no domain /h5/s/SECRET', 'there is no domain /h5/s/...'],
  ['the name s/SECRET/x must', 'the name s/.../x must'],
  ['%2Fs%2FSECRET%2Fx', '%2Fs%2F...%2Fx'],
  ['%252Fs%252FSECRET%252Fx', '%252Fs%252F...%252Fx'],
  ['"SECRET"', '"..."'],
  ['x.SECRET.s.hdfgroup.org', 'x.....s.hdfgroup.org'],
  ['"http://h/s/SECRET"', '"http://h/s/..."'],
  ['?a=SECRET&b=%2FSECRET', '?a=...&b=%2F...'],
  ['user hyperslab_SECRET', 'user hyperslab_...'],
])('%s is shown as %s', (text, shown) => {
  for (const secret of SECRETS) {
    expect(withoutSecrets(text.replaceAll('SECRET', secret))).toBe(shown)
    // A message shows the beginning of a long text.
    const cut = text.indexOf('SECRET') + 40
    const begun = withoutSecrets(text.replaceAll('SECRET', secret).slice(0, cut))
    if (/s(\/|%2F|%252F)SECRET|hyperslab_/.test(text)) expect(begun).not.toContain(secret.slice(0, 20))
  }
})

it.each([
  'there is no domain /s/run7.h5',
  'the dataset d-2576af04-bfd6b0d2-0000-000000-000320 of /lab/run7.h5',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'a_name_of_forty_three_letters_without_capital',
  '/a/path/with/a-name-that-is-long-and-has-forty-letters/and/more',
])('%s stays', text => {
  expect(withoutSecrets(text)).toBe(text)
})
