/**
 * Domains without a single owner: they give mail addresses, or names below them, to the public. The list need not be
 * complete: a claim has to publish a record in the domain. It spares people a claim that leads nowhere.
 */
const OF_EVERYBODY = new Set(
  [
    'gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de hotmail.fr hotmail.co.uk live.com live.de',
    'msn.com yahoo.com yahoo.de yahoo.fr yahoo.co.uk yahoo.co.jp ymail.com rocketmail.com icloud.com me.com mac.com',
    'aol.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de mail.com mail.de email.de freenet.de arcor.de posteo.de',
    'posteo.net mailbox.org mail.ru list.ru bk.ru inbox.ru rambler.ru yandex.com yandex.ru ya.ru ukr.net',
    'proton.me protonmail.com protonmail.ch pm.me qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com',
    'naver.com daum.net hanmail.net rediffmail.com zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm hey.com',
    'hushmail.com tutanota.com tutanota.de tuta.io tuta.com t-online.de magenta.de vodafone.de orange.fr wanadoo.fr',
    'free.fr sfr.fr laposte.net bbox.fr libero.it virgilio.it tiscali.it alice.it tin.it bluewin.ch hispeed.ch aon.at',
    'chello.at telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl telia.com comhem.se seznam.cz',
    'centrum.cz wp.pl o2.pl onet.pl interia.pl abv.bg btinternet.com sky.com virginmedia.com talktalk.net comcast.net',
    'verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net shaw.ca rogers.com sympatico.ca',
    'bigpond.com optusnet.com.au uol.com.br bol.com.br terra.com.br mailinator.com guerrillamail.com yopmail.com',
    // public suffixes of two labels, under which names are registered
    'co.uk org.uk ac.uk gov.uk me.uk ltd.uk plc.uk net.uk sch.uk com.au net.au org.au edu.au gov.au id.au co.nz net.nz',
    'org.nz ac.nz govt.nz co.jp ne.jp or.jp ac.jp go.jp com.br net.br org.br gov.br com.cn net.cn org.cn gov.cn edu.cn',
    'co.in net.in org.in firm.in gen.in ac.in gov.in co.za org.za ac.za gov.za com.mx org.mx gob.mx com.ar com.co com.pe',
    'com.tr org.tr com.sg com.hk com.tw com.my com.ph com.vn co.th co.id or.id co.kr or.kr co.il org.il ac.il com.ua',
    'com.pl net.pl org.pl co.at or.at ac.at gv.at com.pt com.es nom.es org.es com.gr com.cy com.mt com.eg com.sa com.ng',
    // names that hosters give away
    'github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com web.app firebaseapp.com',
    'azurewebsites.net cloudfront.net amazonaws.com appspot.com sharepoint.com fly.dev onrender.com',
    'blogspot.com wordpress.com wixsite.com myshopify.com duckdns.org dyndns.org no-ip.org ddns.net ngrok.io',
    'ngrok-free.app eu.org de.com uk.com us.com co.com eu.com gb.net',
  ].flatMap((line) => line.split(' ')),
)

/** @param domain in its ASCII form, lower case */
export function isOfEverybody(domain: string): boolean {
  return OF_EVERYBODY.has(domain)
}
