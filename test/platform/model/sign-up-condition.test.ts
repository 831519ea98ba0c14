import { conditionTest, type SignUpFacts } from '../../../src/platform/model/sign-up-rules'

const facts: SignUpFacts = {
  email: 'eve+news@mail.example.org',
  emailDomain: 'mail.example.org',
  countryCode: 'AQ',
  authMethod: 'oauth',
  oauthProvider: 'github',
  riskScores: { bot: 80, free_trial_abuse: 5 },
}

describe('a condition', () => {
  it.each([
    ['true', true],
    ['!true', false],
    ['!!true', true],
    ['emailDomain == "mail.example.org"', true],
    ["emailDomain != 'mail.example.org'", false],
    ['email.endsWith("@mail.example.org")', true],
    ['email.startsWith("eve+") && email.contains("news")', true],
    ['!email.contains("news")', false],
    ['email.contains("\\"")', false],
    ['email.matches("^.*@")', true],
    // Anywhere in the text.
    ['email.matches("n.*w")', true],
    ['emailDomain.matches("^(mail|web)\\\\.example\\\\.(org|com|net)$")', true],
    ['email.matches("^[a-z]+[+.]?news@.*$")', true],
    ['email.matches(".*.*.*")', true],
    ['countryCode in ["AQ", "BV"]', true],
    ['countryCode in []', false],
    ['countryCode in [1]', false],
    ['countryCode in [emailDomain]', false],
    ['!(countryCode in ["BV"])', true],
    ['riskScores.bot >= 80 && riskScores.free_trial_abuse < 6', true],
    ['riskScores.bot in [1, 80]', true],
    ['riskScores.bot + 1 > 80', true],
    ['riskScores == riskScores', true],
    ['80.5 > riskScores.bot', true],
    // `&&` binds closer than `||`.
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['true ? true : false', true],
    ['authMethod == "oauth" && oauthProvider == "github" || false', true],
    ['(authMethod == "oauth") == true', true],
    ['"a\\"b" == "a\\"b"', true],
    ['email == ""', false],
    ['email == 5', false],
    [`${'('.repeat(30)}true${')'.repeat(30)}`, true],
    [`${'!'.repeat(60)}true`, true],
  ])('%s is %s', async (source, expected) => {
    expect((await conditionTest())(source, facts)).toBe(expected)
  })

  it.each([
    '',
    'email',
    'email ==',
    'displayName == "x"',
    'true < false',
    'email.contains(emailDomain)',
    "email.contains('a')",
    '"a".contains("a")',
    'email.matches("(a|b)+")',
    'email.matches(".*.*.*.*")',
    `email.matches("${'a?'.repeat(26)}${'a'.repeat(26)}")`,
    `email.matches("${'(a|a)'.repeat(26)}b")`,
    'email.matches("(a?)+")',
    'email.matches("(a){2,}")',
    Array(3).fill('email.matches(".*.*.*@@")').join(' || '),
    'email.matches("(")',
    'email.size() > 5',
    'email.contains("x"',
    '(true',
    'true true',
    'email == "x',
    'true && "x"',
    // Nothing of JavaScript is reached by a name.
    '__proto__ == "x"',
    'constructor == constructor',
    'riskScores.constructor == riskScores.constructor',
    'riskScores["__proto__"] == 1',
    'email.constructor("x")',
    'riskScores.toString() == ""',
  ])('%s cannot be evaluated', async source => {
    const holds = await conditionTest()
    expect(() => holds(source, facts)).toThrow()
  })
})
