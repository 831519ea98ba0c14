import { inAppBrowser } from '../../src/core/in-app-browser'

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ipad = 'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const pixel = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
const webview =
  'Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const chrome = 'Chrome/131.0.6778.135'
const android = `${webview} Version/4.0 ${chrome} Mobile Safari/537.36`

// Promise: sign-in-methods
it.each([
  ['Facebook', `${iphone} Mobile/22F76 [FBAN/FBIOS;FBAV/512.0.0.40.109;FBBV/727;FBDV/iPhone16,1;FBLC/en_US]`],
  ['Facebook', `${iphone} Mobile/22F76 Safari/604.1 [FBAN/FBIOS;FBAV/498.0.0]`],
  ['Facebook', `${android} [FB_IAB/FB4A;FBAV/489.0.0.66.81;]`],
  ['Facebook', `${android} [FB_IAB/MESSENGER;FBAV/471.1.0.34.110;]`],
  ['Facebook', `${iphone} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/440.0.0.25.111]`],
  ['Facebook', `${ipad} Mobile/15E148 [FBAN/FBIOS;FBAV/450.0.0.38.108;FBDV/iPad13,4]`],
  ['Instagram', `${iphone} Mobile/22F76 Instagram 361.0.0.35.81 (iPhone16,2; iOS 18_5; en_US; en; scale=3.00)`],
  ['Instagram', `${android} Instagram 361.0.0.46.88 Android (34/14; 480dpi; 1080x2115; samsung; SM-S911B)`],
  ['Instagram', `${iphone} Mobile/15E148 Instagram 300.0.0.0 NW/3 [FBAN/FBIOS]`],
  ['Threads', `${iphone} Mobile/15E148 Barcelona 289.0.0.24.84 (iPhone15,3; iOS 17_5)`],
  ['LINE', `${iphone} Mobile/15E148 Safari Line/14.20.0`],
  ['LINE', `${android} Line/14.19.1/IAB`],
  ['WeChat', `${iphone} Mobile/15E148 MicroMessenger/8.0.54(0x18003633) NetType/WIFI Language/en`],
  ['WeChat', `${android} XWEB/1300259 MMWEBSDK/20241103 MicroMessenger/8.0.55.2780(0x28003736) WeChat/arm64`],
  ['TikTok', `${iphone} Mobile/15E148 musical_ly_37.2.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en`],
  ['TikTok', `${android} trill_2023703030 BytedanceWebview/d8a21c6`],
  ['TikTok', `${iphone} Mobile/15E148 BytedanceWebview/d8a21c6`],
  ['Snapchat', `${iphone} Mobile/15E148 Snapchat/13.20.0.42 (like Safari/8619.1.26, panda)`],
  ['Snapchat', `${android} Snapchat/13.18.0.60 (SM-S911B; Android 14#S911BXXU5CXG4; gzip; )`],
  ['LinkedIn', `${iphone} Mobile/15E148 [LinkedInApp]/9.30.1234`],
  ['LinkedIn', `${android} [LinkedInApp]`],
  ['X', `${iphone} Mobile/15E148 Twitter for iPhone/10.70`],
  ['X', `${android} TwitterAndroid`],
  ['Pinterest', `${iphone} Mobile/15E148 [Pinterest/iOS]`],
  ['Pinterest', `${android} [Pinterest/Android]`],
  ['KakaoTalk', `${android};KAKAOTALK 2411040`],
  ['NAVER', `${iphone} Mobile/15E148 NAVER(inapp; search; 2000; 12.9.3; 16PRO)`],
  ['Telegram', `${android} Telegram-Android/11.4.2 (Google Pixel 8; Android 14; SDK 34; HIGH)`],
  ['Reddit', `${android} Reddit/2024.46.0`],
  ['Weibo', `${iphone} Mobile/15E148 Weibo (iPhone16,1__weibo__14.11.1__iphone__os18.1)`],
  ['QQ', `${android} V1_AND_SQ_9.1.20_7650_YYB_D QQ/9.1.20.20295 NetType/WIFI`],
  ['Alipay', `${iphone} Mobile/15E148 NebulaSDK/1.8 AlipayClient/10.6.80 Language/en`],
  ['Google', `${iphone} GSA/346.0.702084000 Mobile/15E148 Safari/604.1`],
  ['Google', `${ipad} GSA/340.3.695589114 Mobile/15E148 Safari/604.1`],
  ['app', android],
  [
    'app',
    `Mozilla/5.0 (Linux; Android 4.4.4; Nexus 5) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/33.0.0.0 Mobile Safari/537.36`,
  ],
  ['app', `${iphone} Mobile/15E148`],
  ['app', `${ipad} Mobile/15E148`],
  ['app', `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko)`],
  [undefined, `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`],
  [undefined, `${ipad} Version/17.6 Mobile/15E148 Safari/604.1`],
  [undefined, `${iphone} CriOS/131.0.6778.134 Mobile/15E148 Safari/604.1`],
  [undefined, `${iphone} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
  [undefined, `${iphone} Version/18.0 EdgiOS/131.0.2903.92 Mobile/15E148 Safari/605.1.15`],
  [undefined, `${iphone} Version/18.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  [undefined, `${iphone} OPT/5.2.1 Mobile/15E148 Safari/604.1`],
  [undefined, `${iphone} Version/17.5 YaBrowser/24.10.1 Mobile/15E148 Safari/604.1`],
  [undefined, `${pixel} ${chrome} Mobile Safari/537.36`],
  [undefined, `${pixel} ${chrome} Safari/537.36`],
  [undefined, `${pixel} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`],
  [undefined, `${pixel} ${chrome} Mobile Safari/537.36 EdgA/131.0.2903.87`],
  [undefined, `${pixel} ${chrome} Mobile Safari/537.36 OPR/86.0.0.0`],
  [undefined, `${pixel} ${chrome} MQQBrowser/15.9 Mobile Safari/537.36`],
  [undefined, 'Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0'],
  [undefined, `${mac} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36`],
  [undefined, `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1.1 Safari/605.1.15`],
  [undefined, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0'],
  [
    undefined,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  ],
  [
    undefined,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  ],
  [
    undefined,
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  ],
  [undefined, 'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0'],
  [
    undefined,
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ],
  [undefined, 'Node.js/22'],
  [undefined, ''],
])('the browser of %s is told by %s', (app, userAgent) => {
  expect(inAppBrowser(userAgent)).toBe(app)
})
